import {
  type FocusEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useLeaveQuestion } from './use-leave-question.ts'

type Option = { value: string; label: string }

type TypedOptions = {
  options: Option[]
  /** What the field shows when nobody types: the name of the chosen option, if there is one. */
  shown: string
  /** Called with the options that contain the typed text when the field is left; Enter would pick the first. */
  onLeave: (matches: [Option, ...Option[]], typed: string) => void
  /** What the field chooses, within a sentence. */
  noun?: string
  /** The options that a typed text means, likeliest first: those whose label contains it, if this is missing. */
  find?: Find | undefined
}

export type Find = (options: Option[], text: string) => Option[]

/**
 * The typed text of Mantine's Select and MultiSelect. Leaving the field picks the option that Enter would pick. Text
 * that no option contains stays, is asked about, and holds the form back until it is changed or removed.
 */
export function useTypedOption({
  options,
  shown,
  onLeave,
  noun = 'option',
  find = containing,
}: TypedOptions) {
  const input = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  // Mantine empties the search when the field is left, so the text that has to stay is kept here until it is focused.
  const [kept, setKept] = useState<string | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  const text = (kept ?? search).trim()
  const isTyped = text !== '' && text !== shown
  const isUnmatched = isTyped && find(options, text).length === 0
  // By a key, the screen is left without leaving the field first.
  useLeaveQuestion(isTyped)

  const hold = useEffectEvent((event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    setIsAsked(true)
    input.current?.focus()
  })
  useEffect(() => {
    const form = input.current?.form
    if (!form || !isUnmatched) return
    const listen = (event: Event) => hold(event)
    form.addEventListener('submit', listen, true)
    return () => form.removeEventListener('submit', listen, true)
  }, [isUnmatched])

  return {
    question: isAsked && isUnmatched ? `No ${noun} named “${text}”.` : null,
    /** Something was chosen. */
    forget(): void {
      setKept(null)
      setSearch('')
    },
    props: {
      ref: input,
      searchValue: kept ?? search,
      onSearchChange(next: string): void {
        setSearch(next)
        if (kept === null) setIsAsked(false)
      },
      onFocus(): void {
        if (kept === null) return
        setSearch(kept)
        setKept(null)
      },
      // What is typed takes the place of the name that stands there.
      onClick: (event: MouseEvent<HTMLInputElement>) => event.currentTarget.select(),
      onBlur({ currentTarget }: FocusEvent<HTMLInputElement>): void {
        const typed = currentTarget.value.trim()
        if (typed === '' || typed === shown) return
        const [first, ...others] = find(options, typed)
        if (first) onLeave([first, ...others], typed)
        else {
          setKept(typed)
          setIsAsked(true)
        }
      },
    },
  }
}

function containing(options: Option[], text: string): Option[] {
  return options.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
}
