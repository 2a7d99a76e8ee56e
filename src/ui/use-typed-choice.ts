import { useDebouncedValue } from '@mantine/hooks'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useLeaveQuestion } from './use-leave-question.ts'

/** A record as a choice. */
export type Choice = { id: string; label: string }

/** What a search finds. */
type FoundChoices = {
  /** The likeliest first. */
  choices: Choice[]
  /** The one that is called exactly as was searched for. */
  exact: Choice | null
  /** The answer to this search is not here yet; the choices may be those of another. */
  isLoading: boolean
  hasFailed: boolean
}

export type UseChoices = (
  search: string,
  /** The record that the choices belong to, and choices that are found beside them. */
  options: { within: string | undefined; fixed: Choice[] },
) => FoundChoices

type TypedChoiceOptions = {
  input: RefObject<HTMLInputElement | null>
  chosen: Choice | null
  onChoose: (choice: Choice | null) => void
  useChoices: UseChoices
  within: string | undefined
  fixed: Choice[]
  /** What is typed is only looked for: leaving with it loses nothing. */
  isFilter: boolean
  /** Enter was pressed on a name that nothing is found for. */
  onNothingFound: (typed: string) => void
}

/** What is done with the answer to a search: Enter takes the first, leaving only the one that is called so. */
type PendingPick = 'first' | 'exact'

/**
 * Text that is typed to choose a record. It stays until something is chosen: a form is not saved over it, but asks
 * what was meant, and saves on when that is told.
 */
export function useTypedChoice({
  input,
  chosen,
  onChoose,
  useChoices,
  within,
  fixed,
  isFilter,
  onNothingFound,
}: TypedChoiceOptions) {
  // Null while nobody types: then the name of what is chosen shows, however late that is known.
  const [typed, setTyped] = useState<string | null>(null)
  const [picked, setPicked] = useState<Choice | null>(null)
  const [pendingPick, setPendingPick] = useState<PendingPick | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  // The form waits for what is meant, or goes on with it; and how often it was held back.
  const [save, setSave] = useState<'held' | 'goes on' | null>(null)
  const [holds, setHolds] = useState(0)
  const [knownId, setKnownId] = useState(chosen?.id)
  // Where only its id is kept, the name of what was picked here is known before it is told from outside.
  const label = (chosen && (chosen.label || (picked?.id === chosen.id ? picked.label : ''))) ?? ''
  const text = typed ?? label
  // The name of what is chosen is not a search.
  const searched = text.trim() === label ? '' : text.trim()
  const [search] = useDebouncedValue(searched, 150)
  const found = useChoices(search, { within, fixed })
  const isUnchosen = searched !== ''
  const isPending = isUnchosen && (search !== searched || found.isLoading)
  useLeaveQuestion(isUnchosen && !isFilter)

  function forget(): void {
    setTyped(null)
    setPendingPick(null)
    setIsAsked(false)
    setSave((before) => before && 'goes on')
  }
  // Chosen elsewhere, such as by the form of a new one. What is typed after it was emptied stays.
  if (chosen?.id !== knownId) {
    setKnownId(chosen?.id)
    if (chosen) forget()
  }

  function choose(choice: Choice | null): void {
    forget()
    setPicked(choice)
    onChoose(choice)
  }

  function type(next: string): void {
    setTyped(next)
    setPendingPick(null)
    setIsAsked(false)
    setSave(null)
    // The cross is for the mouse only.
    if (next.trim() === '' && chosen) onChoose(null)
  }

  function settle(pick: PendingPick): void {
    setPendingPick(null)
    const [first] = found.choices
    const choice = pick === 'first' && !found.hasFailed ? first : found.exact
    const isHere = document.activeElement === input.current
    if (choice) choose(choice)
    else if (pick === 'first' && isHere && !found.hasFailed) onNothingFound(searched)
    // Nothing else would ask.
    else if (!input.current?.form) setIsAsked(true)
  }

  function pickWhenFound(pick: PendingPick): void {
    if (isPending) setPendingPick((before) => before ?? pick)
    else settle(pick)
  }

  const answered = useEffectEvent(() => {
    if (pendingPick) settle(pendingPick)
  })
  useEffect(() => {
    if (!isPending) answered()
  }, [isPending])

  const hold = useEffectEvent((event: Event) => {
    event.preventDefault()
    // React, which listens farther out, and other fields of the form hear of the next one.
    event.stopImmediatePropagation()
    setSave('held')
    setHolds(holds + 1)
    setIsAsked(true)
    pickWhenFound('exact')
  })
  useEffect(() => {
    const form = input.current?.form
    if (!form || !isUnchosen) return
    const listen = (event: Event) => hold(event)
    form.addEventListener('submit', listen, true)
    return () => form.removeEventListener('submit', listen, true)
  }, [input, isUnchosen])
  // Not before the form knows what was chosen.
  useEffect(() => {
    if (save !== 'goes on') return
    setSave(null)
    input.current?.form?.requestSubmit()
  }, [save, input])

  return {
    text,
    label,
    searched,
    found,
    isUnchosen,
    isPending,
    isAsked,
    /** How often the form asked. */
    holds: save === 'held' ? holds : 0,
    type,
    choose,
    pickWhenFound,
    ask: () => setIsAsked(true),
    /** Whoever goes back to the field saves again later. */
    resume: () => setSave((before) => (before === 'held' ? null : before)),
    leave() {
      if (!isUnchosen) setTyped(null)
      else if (!isAsked) pickWhenFound('exact')
    },
  }
}
