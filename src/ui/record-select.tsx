import { Combobox, InputBase, OptionsDropdown, type SelectProps, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { UnchosenQuestion } from './unchosen-question.tsx'
import { type Choice, type UseChoices, useTypedChoice } from './use-typed-choice.ts'

type RecordSelectProps = {
  label: string
  /** The current choice, shown whether or not the search finds it. */
  chosen: Choice | null
  onChoose: (choice: Choice | null) => void
  /** The feature's hook that searches the choices. */
  useChoices: UseChoices
  /** Limits the choices to those of this record. */
  within?: string | undefined
  /** How to create a new record from the typed text. */
  creation?: {
    label: string
    /** Opens the form. */
    open: (typed: string) => void
    /** Creates it at once; null when that is impossible or failed, which has been reported. */
    make: (typed: string) => Promise<Choice | null>
  }
  /** Choices that are always offered. */
  fixed?: Choice[]
  /** The field only filters: leaving it with typed text loses nothing. */
  isFilter?: boolean
  /** Mantine's mark of the input that has the keyboard when its dialog opens. */
  'data-autofocus'?: true
} & Pick<SelectProps, 'name' | 'error' | 'placeholder' | 'description' | 'comboboxProps'>

const createValue = 'create'
/** Props that Mantine's `Select` passes to its list. The backend filters. */
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

/** Chooses one of many records by typing. Typed text that was not chosen stays, and is asked about. */
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
  // While the user types, the current choice is offered only if it matches.
  if (chosen && !isUnchosen) known.set(chosen.id, { id: chosen.id, label })
  const data = [...known.values()].map((each) => ({ value: each.id, label: each.label }))
  if (creation) {
    const create = searched ? `${creation.label} “${searched}”` : `${creation.label}…`
    data.push({ value: createValue, label: create })
  }

  // Enter takes the first match, but not from an older or failed search.
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
    // Otherwise Enter submits the form as in every field; the form asks about text that was not chosen.
    if (!hasRow && !isPending && (!isUnchosen || input.current?.form)) return
    event.preventDefault()
    if (hasRow) combobox.clickSelectedOption()
    else if (isPending) choice.pickWhenFound('first')
    else choice.ask()
  }

  async function make(): Promise<boolean> {
    const made = (await creation?.make(searched)) ?? null
    if (!made) return false
    // Keep what was typed meanwhile.
    if (input.current?.value.trim() === searched) answer(made)
    return true
  }
  function answer(chosenNow: Choice | null): void {
    choice.choose(chosenNow)
    // The pressed button disappears.
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
          // Mantine sets this only after a key press.
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
  return found.hasFailed ? 'Search failed.' : 'Nothing found'
}

type Asked = { searched: string; isPending: boolean; found: { hasFailed: boolean } }

function wordsFor(label: string, asked: Asked, match: Choice | undefined): string {
  const { searched, isPending, found } = asked
  if (isPending) return `Searching for “${searched}”...`
  if (found.hasFailed) return `Search for “${searched}” failed.`
  // 'Contact 2' is a contact.
  const what = label.toLowerCase().replace(/ \d+$/, '')
  return match ? `Which ${what} is “${searched}”?` : `No ${what} named “${searched}”.`
}
