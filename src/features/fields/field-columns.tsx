import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { phoneLink } from '#domain/contact.ts'
import { shownDay, shownMoment } from '#domain/dates.ts'
import { entriesOf, entryText, entryWords, isListKind } from '#domain/fields/entries.ts'
import {
  type Field,
  type Fields,
  fieldOf,
  type Kind,
  labelOf,
  valueAt,
} from '#domain/fields/field.ts'
import { shownValue } from '#domain/fields/kinds.ts'
import { isOwnName } from '#domain/fields/own.ts'
import { mailtoLink } from '#domain/mailto.ts'
import { safeLink, shownWebsite } from '#domain/web-address.ts'
import { TagBadges } from '#features/tags/index.ts'
import { cellPencil } from '#ui/cell-editor.tsx'
import type { Column } from '#ui/data-table.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LinkWithCopy } from '#ui/link-with-copy.tsx'
import entryClasses from './entry-fields.module.css'
import classes from './field-columns.module.css'
import { OptionBadges } from './option-badges.tsx'

type KindOfColumn = {
  width: number
  grow: number
  isFigure?: true
  /** Its value has a copy button at its end; the pencil gets a place beside it while the pointer is on the cell. */
  hasCopy?: true
  /** Where a text in one line is not enough. `shown` is the value in words. */
  cell?: (value: string, shown: string, timeZone: string) => ReactNode
}

/** The column of each kind: how wide it is, and how it shows what a row has. */
const columns: Record<Kind, KindOfColumn> = {
  text: { width: 100, grow: 2 },
  'long text': { width: 82, grow: 2, cell: (value) => <Cut text={value} isQuiet /> },
  email: { width: 184, grow: 3, hasCopy: true, cell: (value) => <EmailLink email={value} /> },
  phone: { width: 140, grow: 1, hasCopy: true, cell: (value) => <PhoneLink phone={value} /> },
  link: { width: 150, grow: 2, cell: (value, shown) => <WebLink address={value} shown={shown} /> },
  number: { width: 88, grow: 1, isFigure: true, cell: (_, shown) => shown },
  money: { width: 130, grow: 1, isFigure: true, cell: (_, shown) => shown },
  currency: { width: 88, grow: 1 },
  day: { width: 130, grow: 1, cell: (value, shown) => <time dateTime={value}>{shown}</time> },
  moment: {
    width: 100,
    grow: 1,
    cell: (value, shown, timeZone) => <span title={shownMoment(value, timeZone)}>{shown}</span>,
  },
  'yes/no': { width: 88, grow: 1 },
  choice: { width: 112, grow: 1 },
  'several choices': { width: 150, grow: 2 },
  tags: { width: 150, grow: 2 },
  birthday: { width: 112, grow: 1 },
  'days before': { width: 112, grow: 1 },
  record: { width: 100, grow: 2 },
  emails: { width: 184, grow: 3, hasCopy: true },
  phones: { width: 140, grow: 1, hasCopy: true },
  links: { width: 150, grow: 2 },
  addresses: { width: 150, grow: 3 },
}

type FieldColumnsOptions<Row, Key extends string> = {
  fields: Fields
  /** The columns, in their order. */
  shown: readonly Key[]
  /** By what the list can be sorted. */
  sorts: readonly string[]
  timeZone: string
  /** Which columns are edited in their cells, and how that begins. */
  editing?: CellEdits<Row>
  /** The cells of what is shown in a way of its own. */
  special?: Partial<Record<Key, (row: Row) => ReactNode>>
}

/** The columns of a table, as the definitions of the fields and their kinds want them. */
export function fieldColumns<Row extends object, Key extends string>({
  fields,
  shown,
  sorts,
  timeZone,
  editing,
  special = {},
}: FieldColumnsOptions<Row, Key>): Column<Row>[] {
  return shown.map((key) => {
    const { name, field } = fieldOf(fields, key)
    const { width, grow, isFigure } = columns[field.kind]
    // An own field of this kind is one of many, and keeps its pencil in sight.
    const hasCopy = columns[field.kind].hasCopy === true && !isOwnName(name)
    const header = labelOf(field, 'column')
    const cell =
      special[key] ??
      ((row: Row) => (
        <WithMore entries={valueAt(row, isListKind(field.kind) ? name : (field.firstOf ?? ''))}>
          {cellOf(field, valueAt(row, field.at ?? name), timeZone)}
        </WithMore>
      ))
    const isEdited = editing?.isEdited(name, field) ?? false
    return {
      key,
      header,
      grow,
      ...field.column,
      width: (field.column?.width ?? width) + (isEdited && !hasCopy ? pencilWidth : 0),
      ...(isFigure ? { isFigure } : {}),
      ...(sorts.includes(key) ? { sort: key } : {}),
      cell:
        editing && isEdited
          ? (row) => (
              <WithPencil
                isFigure={isFigure ?? false}
                hasCopy={hasCopy}
                label={`Edit ${header} of ${editing.nameOf(row)}`}
                onEdit={(pencil) => editing.onEdit(row, name, pencil)}
              >
                {cell(row)}
              </WithPencil>
            )
          : cell,
    }
  })
}

/** Cells that are edited in place. */
type CellEdits<Row> = {
  isEdited: (name: string, field: Field) => boolean
  nameOf: (row: Row) => string
  /** `pencil` is the button that was pressed. */
  onEdit: (row: Row, name: string, pencil: HTMLElement) => void
}

/** It has its place beside the value, so it covers nothing when it shows. */
const pencilWidth = 24

type WithPencilProps = {
  /** Figures end where their header ends, so the pencil stands before them. */
  isFigure: boolean
  hasCopy: boolean
  label: string
  onEdit: (pencil: HTMLElement) => void
  children: ReactNode
}

function WithPencil({ isFigure, hasCopy, label, onEdit, children }: WithPencilProps) {
  return (
    <div
      className={classes.editable}
      data-figure={isFigure || undefined}
      data-copy={hasCopy || undefined}
    >
      <div className={classes.value}>{children}</div>
      <IconButton
        isSmall
        className={classes.pencil ?? ''}
        aria-label={label}
        title="Edit (F2)"
        {...cellPencil}
        onClick={({ currentTarget }) => onEdit(currentTarget)}
      >
        <IconPencil size={14} stroke={1.5} aria-hidden />
      </IconButton>
    </div>
  )
}

function cellOf(field: Field, value: unknown, timeZone: string): ReactNode {
  if (value === null || value === undefined || value === '') return <Cut text={null} />
  if (field.kind === 'tags' && Array.isArray(value)) {
    return value.length > 0 ? <TagBadges tags={value} isInLine /> : <Cut text={null} />
  }
  if (isListKind(field.kind)) {
    const [first] = entriesOf(value)
    if (!first) return <Cut text={null} />
    return entryLinks[field.kind]?.(entryText(first)) ?? <Cut text={entryText(first)} />
  }
  const text = String(value)
  const words = shownValue(field, value, timeZone)
  // An option that was removed meanwhile has no name.
  if (field.choiceColors && words) return <OptionBadges field={field} value={value} isInLine />
  return columns[field.kind].cell?.(text, words, timeZone) ?? <Cut text={words} />
}

/** The first entry of a list as a way to reach somebody. */
const entryLinks: Partial<Record<Kind, (value: string) => ReactNode>> = {
  emails: (email) => <EmailLink email={email} />,
  phones: (phone) => <PhoneLink phone={phone} />,
  links: (address) => <WebLink address={address} shown={shownWebsite(address)} />,
}

/** How many more there are than the first one; pointed at, they are told. */
function WithMore({ entries, children }: { entries: unknown; children: ReactNode }) {
  const others = entriesOf(entries).slice(1)
  if (others.length === 0) return children
  return (
    <div className={entryClasses.more}>
      {children}
      <span className={entryClasses.count} title={others.map(entryWords).join('\n')}>
        {`+${others.length}`}
      </span>
    </div>
  )
}

export function EmailLink({ email }: { email: string | null }) {
  if (!email) return <Cut text={null} />
  return (
    <LinkWithCopy
      href={mailtoLink({ to: email, subject: '', body: '' })}
      text={email}
      what="email"
    />
  )
}

export function PhoneLink({ phone }: { phone: string | null }) {
  const href = phone && phoneLink(phone)
  if (!href) return <Cut text={phone} />
  return <LinkWithCopy href={href} text={phone} what="phone number" />
}

function WebLink({ address, shown }: { address: string; shown: string }) {
  const href = safeLink(address)
  if (!href) return <Cut text={shown} />
  return <LinkWithCopy href={href} text={shown} what="address" />
}

/** Another record that a row names, as the way there. */
export function RecordLink({ to, name }: { to: string | null; name: string | null }) {
  if (!to || !name) return <Cut text={name} />
  return (
    <Link to={to} className={classes.record} title={name}>
      <bdi>{name}</bdi>
    </Link>
  )
}

type NextTaskProps = {
  task: { title: string; due_date: string | null } | null
  timeZone: string
}

/** What is to be done next, and when. */
export function NextTask({ task, timeZone }: NextTaskProps) {
  const { title = null, due_date: due = null } = task ?? {}
  return <Cut text={due ? `${shownDay(due, timeZone)} · ${title}` : title} />
}

/** Text in one line, whole on hover; '-' when there is none. */
export function Cut({ text, isQuiet = false }: { text: string | null; isQuiet?: boolean }) {
  if (!text) return <span className={classes.quiet}>-</span>
  return (
    <bdi className={isQuiet ? classes.quiet : undefined} title={text}>
      {text.slice(0, 300)}
    </bdi>
  )
}
