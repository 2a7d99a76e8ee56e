import { Combobox, Menu, Pill, PillsInput, UnstyledButton, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { counted } from '#domain/counted.ts'
import { isAddress, isSameAddress, parseAddresses, withoutDoubles } from '#domain/mail-addresses.ts'
import type { Correspondent } from '#domain/mail-draft.ts'
import { UnchosenQuestion } from '#ui/unchosen-question.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import classes from './composer.module.css'
import { type AddressChoice, useAddressChoices, useAddressesOf } from './queries.ts'

export type AddressFieldHandle = {
  /** Adds the typed text as recipients; false when some of it is no address: then the field asks about it. */
  settle: () => boolean
  focus: () => void
}

type AddressFieldProps = {
  label: string
  people: Correspondent[]
  onChange: (people: Correspondent[]) => void
  ref: Ref<AddressFieldHandle>
  error?: ReactNode
  /** At the end of the line. */
  side?: ReactNode
  isFirst?: boolean
}

/** So many are shown at first. */
const few = 12

/** Whom a mail goes to: contacts by any of their addresses, and addresses that are typed or pasted. */
export function AddressField(props: AddressFieldProps) {
  const { label, people, onChange, ref, error, side, isFirst = false } = props
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const [holds, setHolds] = useState(0)
  const [isWhole, setIsWhole] = useState(false)
  const typed = text.trim()
  useLeaveQuestion(typed !== '')
  const [search] = useDebouncedValue(typed, 150)
  const found = useAddressChoices(search)
  const choices = (typed === '' ? [] : found.choices).filter(
    ({ person }) => !people.some(({ address }) => isSameAddress(address, person.address)),
  )
  const isCurrent = search === typed && !found.isLoading
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { selectFirstOption, resetSelectedOption } = combobox
  const rows = isCurrent ? choices.map(({ id }) => id).join() : ''
  useEffect(() => {
    if (rows) selectFirstOption()
    else resetSelectedOption()
  }, [rows, selectFirstOption, resetSelectedOption])

  function add(more: Correspondent[]): void {
    onChange(withoutDoubles([...people, ...more]))
  }
  function type(next: string): void {
    setText(next)
    setIsAsked(false)
    if (next.trim() === '') combobox.closeDropdown()
    else combobox.openDropdown()
  }
  function choose({ person }: AddressChoice): void {
    add([person])
    type('')
  }
  /** Takes the addresses of a text; the rest stays in the field. */
  function take(all: string): { hasRest: boolean; hasFound: boolean } {
    const { found: read, rest } = parseAddresses(all)
    const known = (address: string) =>
      found.choices.find(({ person }) => isSameAddress(person.address, address))?.person
    add(read.map((each) => known(each.address) ?? { ...each, contact: null }))
    setText(rest)
    combobox.closeDropdown()
    return { hasRest: rest !== '', hasFound: read.length > 0 }
  }
  function settle(): boolean {
    if (typed === '') return true
    const { hasRest } = take(text)
    setIsAsked(hasRest)
    return !hasRest
  }
  useImperativeHandle(ref, () => ({
    settle() {
      const isSettled = settle()
      if (!isSettled) setHolds((before) => before + 1)
      return isSettled
    },
    focus: () => input.current?.focus(),
  }))

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    const hasOption = combobox.dropdownOpened && combobox.getSelectedOptionIndex() >= 0
    if (event.key === 'Enter') {
      if (event.ctrlKey || event.metaKey) return
      // It must not send the mail.
      event.preventDefault()
      if (isAddress(typed) || !hasOption) settle()
      else combobox.clickSelectedOption()
    } else if (event.key === 'Tab' && !event.shiftKey && typed !== '') {
      if (isAddress(typed) || !hasOption) return
      event.preventDefault()
      combobox.clickSelectedOption()
    } else if (/^[,; ]$/.test(event.key) && isComplete(typed, event.key)) {
      event.preventDefault()
      take(text)
    } else if (event.key === 'Backspace' && text === '') onChange(people.slice(0, -1))
  }
  function paste(event: ClipboardEvent<HTMLInputElement>): void {
    const pasted = event.clipboardData.getData('text/plain')
    if (parseAddresses(pasted).found.length === 0) return
    event.preventDefault()
    const { hasRest } = take(typed === '' ? pasted : `${typed}, ${pasted}`)
    setIsAsked(hasRest)
  }

  const shown = isWhole ? people : people.slice(0, few)
  const [match] = isCurrent ? choices : []
  const question = isAsked && typed !== '' ? `“${typed}” isn’t an email address.` : null
  return (
    <div>
      <Combobox
        store={combobox}
        withinPortal={false}
        floatingStrategy="fixed"
        onOptionSubmit={(id) => {
          const chosen = choices.find((each) => each.id === id)
          if (chosen) choose(chosen)
        }}
      >
        <Combobox.DropdownTarget>
          <PillsInput
            label={label}
            // What was missing is being typed.
            error={question ?? (typed === '' ? error : undefined)}
            classNames={{ input: classes.addresses ?? '' }}
            onClick={() => input.current?.focus()}
            rightSection={side}
            rightSectionWidth={side ? 88 : 0}
            rightSectionPointerEvents="all"
          >
            <Pill.Group>
              {shown.map((person) => (
                <Person
                  key={person.address}
                  person={person}
                  onChange={(next) =>
                    onChange(withoutDoubles(people.map((each) => (each === person ? next : each))))
                  }
                  onRemove={() => {
                    onChange(people.filter((each) => each !== person))
                    input.current?.focus()
                  }}
                />
              ))}
              {people.length > shown.length && (
                <UnstyledButton className={classes.more ?? ''} onClick={() => setIsWhole(true)}>
                  {`and ${counted(people.length - shown.length, 'other')}`}
                </UnstyledButton>
              )}
              <Combobox.EventsTarget withKeyboardNavigation>
                <PillsInput.Field
                  ref={input}
                  aria-label={label}
                  dir="auto"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  inputMode="email"
                  data-autofocus={isFirst || undefined}
                  value={text}
                  placeholder={people.length === 0 ? 'Name or address' : ''}
                  onChange={({ currentTarget }) => type(currentTarget.value)}
                  onKeyDownCapture={press}
                  onPaste={paste}
                  onBlur={() => {
                    combobox.closeDropdown()
                    settle()
                  }}
                />
              </Combobox.EventsTarget>
            </Pill.Group>
          </PillsInput>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown hidden={choices.length === 0}>
          <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={label}>
            {choices.map(({ id, person, about }) => (
              <Combobox.Option key={id} value={id}>
                <span className={classes.choice}>
                  <bdi>{person.name || person.address}</bdi>
                  <bdi className={classes.choiceAddress}>{about}</bdi>
                </span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {question && (
        <UnchosenQuestion
          label={question}
          typed={typed}
          match={match && { id: match.id, label: match.person.address }}
          kept={null}
          onUse={() => {
            if (match) choose(match)
            input.current?.focus()
          }}
          onKeep={() => {
            type('')
            input.current?.focus()
          }}
          onCreate={undefined}
          holds={holds}
        />
      )}
    </div>
  )
}

/** A space ends an address, a comma also one with its name. */
function isComplete(typed: string, key: string): boolean {
  if (key === ' ') return isAddress(typed)
  const { found, rest } = parseAddresses(typed)
  return found.length > 0 && rest === ''
}

type PersonProps = {
  person: Correspondent
  onChange: (person: Correspondent) => void
  onRemove: () => void
}

/** A recipient. For a contact, a menu offers all of their addresses. */
function Person({ person, onChange, onRemove }: PersonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { name, address, contact } = person
  const { data: addresses = [] } = useAddressesOf(isOpen ? (contact?.id ?? null) : null)
  const pill = (
    <Pill
      withRemoveButton
      onRemove={onRemove}
      className={classes.person ?? ''}
      title={name ? `${name} <${address}>` : address}
      removeButtonProps={{
        'aria-label': `Remove ${name || address}`,
        'aria-hidden': false,
        tabIndex: 0,
      }}
    >
      {contact ? (
        <Menu.Target>
          <UnstyledButton className={classes.personName ?? ''} aria-haspopup="menu">
            <bdi>{name || address}</bdi>
          </UnstyledButton>
        </Menu.Target>
      ) : (
        <bdi>{name || address}</bdi>
      )}
    </Pill>
  )
  if (!contact) return pill
  return (
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      withinPortal={false}
      floatingStrategy="fixed"
      position="bottom-start"
      shadow="md"
    >
      {pill}
      <Menu.Dropdown>
        {(addresses.length > 0 ? addresses : [{ address, label: '' }]).map((each) => (
          <Menu.Item
            key={each.address}
            aria-current={isSameAddress(each.address, address) || undefined}
            onClick={() => onChange({ ...person, address: each.address })}
          >
            <span className={classes.choice}>
              <bdi>{each.address}</bdi>
              {each.label && <span className={classes.choiceAddress}>{each.label}</span>}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
