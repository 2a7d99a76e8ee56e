import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { shownBirthday, shownDaysBefore, usualDaysBefore } from '#domain/birthday.ts'
import { phoneLink } from '#domain/contact.ts'
import { isListKind, isTextList } from '#domain/fields/entries.ts'
import { type Field, type Fields, labelOf, valueAt } from '#domain/fields/field.ts'
import { inputOf } from '#domain/fields/form.ts'
import { chosenOf, shownValue } from '#domain/fields/kinds.ts'
import { isOwnName } from '#domain/fields/own.ts'
import { habits } from '#domain/habits.ts'
import { mailtoLink } from '#domain/mailto.ts'
import { shownMoney } from '#domain/money.ts'
import { safeLink } from '#domain/web-address.ts'
import { EditableTags } from '#features/tags/index.ts'
import type { DetailField } from '#lib/use-detail-fields.ts'
import { useCellEditing } from '#ui/cell-editing.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { EditableChoices } from '#ui/editable-choices.tsx'
import { EditableField } from '#ui/editable-field.tsx'
import { EntryRows } from './entry-rows.tsx'
import { FirstEntry } from './first-entry.tsx'
import { NoOption, OptionBadges } from './option-badges.tsx'

type FieldDetailsProps = {
  fields: Fields
  record: object
  /** From `useDetailFields`. */
  field: (name: string) => DetailField
  onTakeTheirs: () => void
  /** What stands in the place of a field that is chosen or shown in a way of its own; null for nothing. */
  special?: Record<string, ReactNode>
  /** A day that has passed although it should not have. */
  alarming?: readonly string[]
  /** The day of the account, by which an age is told. */
  today?: string
  /** The list to which an entry is being added. */
  adding?: string | null
  onAdded?: () => void
  /** The currencies of amounts that have one of their own. */
  currencies?: Record<string, string | null>
}

/**
 * The fields of a record, each edited where it stands, in the order of their definitions. On the phone, those without a
 * value are behind a button; elsewhere, where they are many.
 */
export function FieldDetails({
  fields,
  record,
  field: edited,
  onTakeTheirs,
  special = {},
  alarming = [],
  today,
  adding = null,
  onAdded = () => {},
  currencies = {},
}: FieldDetailsProps) {
  const isInCell = useCellEditing() !== null
  // A field that holds the first entry of a list is shown among the rows of that list.
  const all = Object.entries(fields).filter(
    ([, { edit, firstOf }]) => edit !== 'never' && !(firstOf !== undefined && firstOf in fields),
  )
  const isFilled = ([name]: [string, Field]) =>
    name in special || adding === name || !isNothing(valueAt(record, name))
  const folds = useFolds(
    all.map(([name]) => name),
    all.filter(isFilled).map(([name]) => name),
    !isInCell,
  )
  const rows = all
    .filter(([name]) => !folds.isFolded(name))
    .map(([name, field]) => (
      <Fragment key={name}>
        {name in special ? (
          special[name]
        ) : isInCell && isTextList(field.kind) ? (
          <FirstEntry
            kind={field.kind}
            entries={valueAt(record, name)}
            edited={edited(name)}
            onTakeTheirs={onTakeTheirs}
          />
        ) : isListKind(field.kind) ? (
          <EntryRows
            fields={fields}
            list={name}
            kind={field.kind}
            record={record}
            edited={edited(name)}
            isAdding={adding === name}
            onAdded={onAdded}
            onTakeTheirs={onTakeTheirs}
          />
        ) : (
          <FieldDetail
            field={field}
            value={valueAt(record, name)}
            edited={edited(name)}
            isAlarming={alarming.includes(name)}
            today={today}
            currency={currencies[name] ?? null}
            onTakeTheirs={onTakeTheirs}
          />
        )}
      </Fragment>
    ))
  return (
    <>
      {rows}
      {folds.toggle && (
        <Button
          variant="subtle"
          color="gray"
          px={8}
          ml={-8}
          aria-expanded={folds.isOpen}
          leftSection={
            folds.isOpen ? (
              <IconChevronUp size={16} stroke={1.5} aria-hidden />
            ) : (
              <IconChevronDown size={16} stroke={1.5} aria-hidden />
            )
          }
          onClick={folds.toggle}
        >
          {folds.isOpen ? 'Hide empty fields' : 'Show empty fields'}
        </Button>
      )}
    </>
  )
}

/** Where there is room, so many empty fields of the user's own show; more are behind the button. */
const mostEmpty = 12

/**
 * Which fields are behind the button: the empty ones, but not those that are emptied while they are looked at, nor one
 * that was just added.
 */
function useFolds(names: string[], filled: string[], canFold: boolean) {
  // A phone that is turned leaves a field that is being edited where it is.
  const [isNarrow] = useState(() => window.matchMedia('(max-width: 48em)').matches)
  const [isOpen, setIsOpen] = useState(false)
  const [known, setKnown] = useState(names)
  const [kept, setKept] = useState(filled)
  const added = names.filter((name) => !known.includes(name))
  if (added.length > 0) setKnown([...known, ...added])
  // One new name is a field that was just added, and must show. Several at once are the user's own fields, read late.
  const shown = added.length === 1 ? [...filled, ...added] : filled
  const isNew = (name: string) => !kept.includes(name)
  if (shown.some(isNew)) setKept([...kept, ...shown.filter(isNew)])
  const empty = names.filter((name) => isNew(name) && (isNarrow || isOwnName(name)))
  const folded = canFold && empty.length > (isNarrow ? 0 : mostEmpty) ? empty : []
  return {
    isOpen,
    isFolded: (name: string) => !isOpen && folded.includes(name),
    toggle: folded.length > 0 ? () => setIsOpen(!isOpen) : null,
  }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

type FieldDetailProps = {
  field: Field
  value: unknown
  edited: DetailField
  isAlarming: boolean
  today: string | undefined
  currency: string | null
  onTakeTheirs: () => void
}

function FieldDetail(props: FieldDetailProps) {
  const { field, value, edited, isAlarming, today, currency, onTakeTheirs } = props
  const label = labelOf(field, 'form')
  if (field.kind === 'tags') {
    const tags = Array.isArray(value) ? value : []
    return <EditableTags label={label} value={tags} onChoose={edited.choose} />
  }
  if (field.kind === 'days before') {
    const chosen = typeof value === 'number' ? String(value) : ''
    const usual = usualDaysBefore.map(String)
    return (
      <EditableChoice
        label={label}
        value={chosen}
        values={['', ...usual, ...(usual.includes(chosen) || chosen === '' ? [] : [chosen])]}
        render={(days) => (days === '' ? <NoOption /> : shownDaysBefore(Number(days)))}
        onChoose={edited.choose}
      />
    )
  }
  if (field.kind === 'several choices') {
    return (
      <EditableChoices
        label={label}
        value={chosenOf(field, value)}
        values={field.choices ?? []}
        render={(chosen) => <OptionBadges field={field} value={chosen} />}
        onChoose={edited.choose}
      />
    )
  }
  if (field.kind === 'choice' || field.kind === 'yes/no') {
    const values = field.kind === 'choice' ? (field.choices ?? []) : ['yes', 'no']
    const chosen = inputOf(field, value)
    return (
      <EditableChoice
        label={label}
        value={typeof chosen === 'string' ? chosen : ''}
        values={['', ...values]}
        render={(each) => <Choice field={field} choice={each} />}
        onChoose={(choice) => edited.choose(choice === '' ? null : choice)}
      />
    )
  }
  return (
    <EditableField
      label={label}
      {...edited}
      {...lookOf(field, value, today)}
      {...(currency !== null && typeof value === 'number'
        ? { shown: shownMoney(value, currency) }
        : {})}
      isAlarming={isAlarming}
      onTakeTheirs={onTakeTheirs}
    />
  )
}

function Choice({ field, choice }: { field: Field; choice: string }) {
  if (choice === '') return <NoOption />
  if (field.kind === 'yes/no') return choice === 'yes' ? 'Yes' : 'No'
  return <OptionBadges field={field} value={choice} />
}

type Look = Partial<Parameters<typeof EditableField>[0]>

/** How a value is shown and typed, as its kind wants it. */
function lookOf(field: Field, value: unknown, today: string | undefined): Look {
  const { kind, hasLines } = field
  const text = typeof value === 'string' ? value : null
  // Only moments depend on the time zone, and none is typed.
  const look: Look = { shown: shownValue(field, value) }
  switch (kind) {
    case 'email':
      return {
        type: 'email',
        href: text && mailtoLink({ to: text, subject: '', body: '' }),
        canCopy: true,
      }
    case 'phone':
      return { type: 'tel', href: text && phoneLink(text), canCopy: true }
    case 'link':
      return {
        ...look,
        type: 'url',
        placeholder: 'https://acme.com',
        href: safeLink(text),
        canCopy: true,
      }
    case 'number':
    case 'money':
      return { ...look, inputMode: 'decimal' }
    case 'currency':
      return { ...look, empty: habits().currency, placeholder: 'EUR' }
    case 'day':
      return { ...look, type: 'date', empty: 'Not set' }
    case 'birthday':
      return { shown: text ? shownBirthday(text, today) : '', placeholder: 'May 3 or May 3, 1990' }
    default:
      return { ...look, isLong: kind === 'long text' || hasLines === true }
  }
}
