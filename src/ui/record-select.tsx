import { Combobox, InputBase, OptionsDropdown, type SelectProps, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { UnchosenQuestion } from './unchosen-question.tsx'
import { type Choice, type UseChoices, useTypedChoice } from './use-typed-choice.ts'

type RecordSelectProps = {
  label: string
  /** What is chosen now; it shows whether or not the search finds it. */
  chosen: Choice | null
  onChoose: (choice: Choice | null) => void
  /** The choices that a search finds, as a hook of the feature that knows them. */
  useChoices: UseChoices
  /** The record that the choices belong to, where they do. */
  within?: string | undefined
  /** How a new one is made of what was typed. */
  creation?: {
    label: string
    /** With its form. */
    open: (typed: string) => void
    /** At once; null where that is not possible or failed, which has been told. */
    make: (typed: string) => Promise<Choice | null>
  }
  /** Choices that are always there. */
  fixed?: Choice[]
  /** What is typed is only looked for: leaving with it loses nothing. */
  isFilter?: boolean
} & Pick<SelectProps, 'name' | 'error' | 'placeholder' | 'description' | 'comboboxProps'>

const createValue = 'create'
/** What the list of a `Select` takes for granted. It is filtered by the backend, which knows of all. */
const asOfSelect = {
  'aria-label': undefined,
  filter: undefined,
  limit: undefined,
  maxDropdownHeight: undefined,
  scrollAreaProps: undefined,
  search: undefined,
  unstyled: false,
  withScrollArea: true,
}
const nothing: Choice[] = []

/** One of many records, found by typing. What is typed and not chosen stays, and is asked about. */
export function RecordSelect({
  chosen,
  onChoose,
  useChoices,
  within,
  creation,
  fixed = nothing,
  isFilter = false,
  comboboxProps,
  error,
  ...field
}: RecordSelectProps) {
  const input = useRef<HTMLInputElement>(null)
  const choice = useTypedChoice({
    input,
    chosen,
    onChoose,
    useChoices,
    within,
    fixed,
    isFilter,
    onNothingFound: creation?.open ?? (() => {}),
  })
  const { found, isUnchosen, isPending, searched, label } = choice
  const [activeId, setActiveId] = useState<string | null>(null)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.updateSelectedOptionIndex('active', { scrollIntoView: true }),
    onDropdownClose() {
      combobox.resetSelectedOption()
      setActiveId(null)
    },
  })
  const { dropdownOpened: isOpen } = combobox
  const known = new Map(found.choices.map((each) => [each.id, each]))
  // What does not match is no choice while somebody types.
  if (chosen && !isUnchosen) known.set(chosen.id, { id: chosen.id, label })
  const data = [...known.values()].map((each) => ({ value: each.id, label: each.label }))
  if (creation) {
    const create = searched ? `${creation.label} “${searched}”` : `${creation.label}…`
    data.push({ value: createValue, label: create })
  }

  // The first match is the one that Enter takes; the rows of an older search are none, nor are those of a failed one.
  const rows = found.hasFailed ? '' : data.map(({ value }) => value).join()
  const { selectFirstOption, resetSelectedOption } = combobox
  useEffect(() => {
    if (!isOpen || !isUnchosen) return
    if (isPending || !rows) resetSelectedOption()
    setActiveId(isPending || !rows ? null : selectFirstOption())
  }, [isOpen, isUnchosen, isPending, rows, selectFirstOption, resetSelectedOption])

  function submit(id: string): void {
    combobox.closeDropdown()
    if (id === createValue) creation?.open(searched)
    else if (id === chosen?.id) choice.choose(chosen)
    else choice.choose(known.get(id) ?? null)
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    // Ignore keys that end an input method's composition.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) combobox.openDropdown('keyboard')
      else if (event.key === 'ArrowDown') setActiveId(combobox.selectNextOption())
      else setActiveId(combobox.selectPreviousOption())
    }
    if (event.key === 'Escape') combobox.closeDropdown('keyboard')
    if (event.key === 'Enter') enter(event)
  }

  function enter(event: KeyboardEvent<HTMLInputElement>): void {
    const hasRow = isOpen && combobox.getSelectedOptionIndex() !== -1
    // Otherwise Enter saves the form, as in every field; the form asks about a name that is not chosen yet.
    if (!hasRow && !isPending && (!isUnchosen || input.current?.form)) return
    event.preventDefault()
    if (hasRow) combobox.clickSelectedOption()
    else if (isPending) choice.pickWhenFound('first')
    else choice.ask()
  }

  async function make(): Promise<boolean> {
    const made = (await creation?.make(searched)) ?? null
    if (!made) return false
    // What was typed meanwhile stays.
    if (input.current?.value.trim() === searched) answer(made)
    return true
  }
  function answer(chosenNow: Choice | null): void {
    choice.choose(chosenNow)
    // The button that was pressed goes.
    input.current?.focus({ preventScroll: true })
  }

  const [match] = found.choices
  const question = choice.isAsked && isUnchosen ? wordsFor(field.label, choice, match) : null
  const id = useId()
  return (
    <div>
      <Combobox
        store={combobox}
        __staticSelector="Select"
        onOptionSubmit={submit}
        {...comboboxProps}
      >
        <Combobox.Target
          withExpandedAttribute
          withKeyboardNavigation={false}
          // Its own does not know of what is highlighted without a key.
          {...{ 'aria-activedescendant': isOpen ? (activeId ?? undefined) : undefined }}
        >
          <InputBase
            {...field}
            ref={input}
            __staticSelector="Select"
            id={id}
            dir="auto"
            error={question ?? error}
            value={choice.text}
            onChange={(event) => {
              choice.type(event.currentTarget.value)
              combobox.resetSelectedOption()
              combobox.openDropdown()
            }}
            onKeyDown={press}
            onFocus={choice.resume}
            onClick={() => combobox.openDropdown()}
            onBlur={() => {
              combobox.closeDropdown()
              choice.leave()
            }}
            __defaultRightSection={<Combobox.Chevron error={Boolean(error)} />}
            __clearable={chosen !== null || choice.text !== ''}
            __clearSection={
              <Combobox.ClearButton
                aria-label={`Clear ${field.label}`}
                onClear={() => choice.type('')}
              />
            }
            rightSectionPointerEvents="none"
          />
        </Combobox.Target>
        <OptionsDropdown
          data={data}
          value={chosen?.id ?? null}
          withCheckIcon
          checkIconPosition="left"
          nothingFoundMessage={emptyWords(isPending, found)}
          labelId={`${id}-label`}
          {...asOfSelect}
        />
      </Combobox>
      {question && !isPending && (
        <UnchosenQuestion
          label={question}
          typed={searched}
          match={match}
          kept={chosen && { id: chosen.id, label }}
          onUse={answer}
          onKeep={() => answer(chosen)}
          onCreate={creation && make}
          holds={choice.holds}
        />
      )}
    </div>
  )
}

function emptyWords(isPending: boolean, found: { isLoading: boolean; hasFailed: boolean }): string {
  if (isPending || found.isLoading) return 'Searching...'
  return found.hasFailed ? 'The search failed.' : 'Nothing found'
}

type Asked = { searched: string; isPending: boolean; found: { hasFailed: boolean } }

function wordsFor(label: string, asked: Asked, match: Choice | undefined): string {
  const { searched, isPending, found } = asked
  if (isPending) return `Searching for “${searched}”...`
  if (found.hasFailed) return `The search for “${searched}” failed.`
  const what = label.toLowerCase()
  return match ? `Which ${what} is “${searched}”?` : `No ${what} is called “${searched}”.`
}
