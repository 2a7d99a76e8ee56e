import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'

type Option = { value: string; label: string }

type TypedOptions = {
  input: RefObject<HTMLInputElement | null>
  options: Option[]
  /** What the field shows when nobody types: the name of the chosen option, if there is one. */
  shown: string
  /** Called with the options that contain the typed text, the first being the one that Enter would pick. */
  onLeave: (matches: [Option, ...Option[]]) => void
}

/**
 * The typed text of a field that chooses options. Leaving the field picks the option that Enter would pick. Text that
 * no option contains stays, is asked about, and holds the form back until it is changed or removed.
 */
export function useTypedOption({ input, options, shown, onLeave }: TypedOptions) {
  const [search, setSearch] = useState('')
  // Mantine empties the search when the field is left, so the text that has to stay is kept here until it is focused.
  const [kept, setKept] = useState<string | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  const text = (kept ?? search).trim()
  const isTyped = text !== '' && text !== shown
  const matches = isTyped ? options.filter((option) => contains(option, text)) : []
  const isUnmatched = isTyped && matches.length === 0
  useLeaveQuestion(isUnmatched)

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
  }, [input, isUnmatched])

  return {
    search: kept ?? search,
    question: isAsked && isUnmatched ? `No option is called “${text}”.` : null,
    type(next: string): void {
      setSearch(next)
      if (kept === null) setIsAsked(false)
    },
    enter(): void {
      if (kept === null) return
      setSearch(kept)
      setKept(null)
    },
    leave(typed: string): void {
      const meant = typed.trim()
      if (meant === '' || meant === shown) return
      const [first, ...others] = options.filter((option) => contains(option, meant))
      if (first) onLeave([first, ...others])
      else {
        setKept(typed)
        setIsAsked(true)
      }
    },
    forget(): void {
      setKept(null)
      setSearch('')
    },
  }
}

function contains({ label }: Option, text: string): boolean {
  return label.toLowerCase().includes(text.toLowerCase())
}
