import { useDebouncedValue } from '@mantine/hooks'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useLeaveQuestion } from './use-leave-question.ts'

/** A record as a choice. */
export type Choice = { id: string; label: string }

/** What a search finds. */
type FoundChoices = {
  /** The best match first. */
  choices: Choice[]
  /** The one whose name equals the search. */
  exact: Choice | null
  /** Still loading; the choices may belong to the search before. */
  isLoading: boolean
  hasFailed: boolean
}

export type UseChoices = (
  search: string,
  /** `within` limits the choices to those of a record; `fixed` are searched too. */
  options: { within: string | undefined; fixed: Choice[] },
) => FoundChoices

type TypedChoiceOptions = {
  input: RefObject<HTMLInputElement | null>
  chosen: Choice | null
  onChoose: (choice: Choice | null) => void
  useChoices: UseChoices
  within: string | undefined
  fixed: Choice[]
  /** The field only filters: leaving it with typed text loses nothing. */
  isFilter: boolean
  /** Called when Enter is pressed and nothing matches. */
  onNothingFound: (typed: string) => void
}

/** What to choose when the search is answered: Enter takes the first match, leaving the field only an exact one. */
type PendingPick = 'first' | 'exact'

/**
 * The typed text of a field that chooses a record. It stays until something is chosen: the form is not saved with it,
 * but asks what was meant, and saves after the answer.
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
  // Null while the user does not type: then the name of the choice shows, as soon as it is known.
  const [typed, setTyped] = useState<string | null>(null)
  const [picked, setPicked] = useState<Choice | null>(null)
  const [pendingPick, setPendingPick] = useState<PendingPick | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  // Whether the form waits for a choice, or continues after one; and how often it was held back.
  const [save, setSave] = useState<'held' | 'goes on' | null>(null)
  const [holds, setHolds] = useState(0)
  const [knownId, setKnownId] = useState(chosen?.id)
  // Where the parent keeps only the id, use the name that was picked here until the parent has it.
  const label = (chosen && (chosen.label || (picked?.id === chosen.id ? picked.label : ''))) ?? ''
  const text = typed ?? label
  // The name of the current choice is not a search.
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
  // The choice changed outside, such as by the form of a new record. Text typed after clearing stays.
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
    // Clearing the text clears the choice, because the clear button cannot be reached by keyboard.
    if (next.trim() === '' && chosen) onChoose(null)
  }

  function settle(pick: PendingPick): void {
    setPendingPick(null)
    const [first] = found.choices
    const choice = pick === 'first' && !found.hasFailed ? first : found.exact
    const isHere = document.activeElement === input.current
    if (choice) choose(choice)
    else if (pick === 'first' && isHere && !found.hasFailed) onNothingFound(searched)
    // Without a form, nothing else would ask.
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
    // Hide this submit from React and other fields; they get the one after the choice.
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
  // Submit only after the form has the chosen value.
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
    /** How often the form was held back. */
    holds: save === 'held' ? holds : 0,
    type,
    choose,
    pickWhenFound,
    ask: () => setIsAsked(true),
    /** The user went back to the field: do not submit after the choice. */
    resume: () => setSave((before) => (before === 'held' ? null : before)),
    leave() {
      if (!isUnchosen) setTyped(null)
      else if (!isAsked) pickWhenFound('exact')
    },
  }
}
