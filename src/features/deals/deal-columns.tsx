import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { shownDate } from '#domain/dates.ts'
import { isPastClose, stageColor, stageLabel } from '#domain/deal.ts'
import { type DealColumn, dealFields, dealSorts } from '#domain/fields/deals.ts'
import { type Fields, isField } from '#domain/fields/field.ts'
import { isOwnName, type OwnKey, ownKeys } from '#domain/fields/own.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { shownMoney } from '#domain/money.ts'
import { fieldColumns, NextTask, RecordLink } from '#features/fields/index.ts'
import type { Column } from '#ui/data-table.tsx'
import { fromList } from '#ui/from-list.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './deal-columns.module.css'
import { DealMarks } from './deal-marks.tsx'
import type { Deal } from './queries.ts'

type ColumnsOptions = {
  shown: (DealColumn | OwnKey)[]
  own: Fields
  linkTo: (deal: Deal) => string
  /** Begins to edit a cell. */
  onEditCell: (row: Deal, name: string, pencil: HTMLElement) => void
  timeZone: string
  /** Today on the user's calendar. */
  today: string
}

/** The table's columns: the deal itself, and what was chosen. */
export function columnsOf({
  shown,
  own,
  linkTo,
  onEditCell,
  timeZone,
  today,
}: ColumnsOptions): Column<Deal>[] {
  return [
    {
      key: 'deal',
      header: 'Deal',
      sort: 'name',
      width: 220,
      grow: 4,
      cell: (deal) => <DealCell deal={deal} to={linkTo(deal)} />,
    },
    ...fieldColumns<Deal, DealColumn | OwnKey>({
      fields: { ...dealFields, ...own },
      // Own fields may not be read yet.
      shown: shown.filter((key) => isField({ ...dealFields, ...own }, key)),
      sorts: [...dealSorts, ...ownKeys(own)],
      timeZone,
      editing: { isEdited: isEditedInCell, nameOf: dealName, onEdit: onEditCell },
      special: {
        value: ({ value, currency }) => shownMoney(value, currency),
        stage: ({ stage_name }) => <StageBadge stage={stage_name} />,
        expected_close: (deal) => <ExpectedClose deal={deal} today={today} />,
        company: ({ company_id, company_name }) => (
          <RecordLink to={company_id && `/app/companies/${company_id}`} name={company_name} />
        ),
        contact: ({ contact_id, contact }) => (
          <RecordLink
            to={contact_id && `/app/contacts/${contact_id}`}
            name={contact && contactName(contact)}
          />
        ),
        next_task: ({ next_task }) => <NextTask task={next_task} timeZone={timeZone} />,
      },
    }),
  ]
}

/** What is edited in its cell, beside the user's own fields. */
const editedInCells = ['stage_id', 'value', 'expected_close_date']

const isEditedInCell = (name: string) => isOwnName(name) || editedInCells.includes(name)

const dealName = ({ name }: Deal) => name

function DealCell({ deal, to }: { deal: Deal; to: string }) {
  return (
    <div className={classes.deal}>
      <DealAvatar deal={deal} />
      <Link to={to} state={fromList} data-row-link className={classes.name} title={deal.name}>
        <bdi>{deal.name}</bdi>
      </Link>
      <DealMarks deal={deal} />
    </div>
  )
}

function DealAvatar({ deal }: { deal: Deal }) {
  return (
    <span className={classes.avatar} aria-hidden>
      {firstLetter(deal.name) || '?'}
    </span>
  )
}

export function StageBadge({ stage }: { stage: string | null }) {
  return <TintBadge color={stageColor(stage)}>{stageLabel(stage)}</TintBadge>
}

/** The expected close of a deal, red when it has passed; 'Not set' for none. */
export function ExpectedClose({ deal, today }: { deal: Deal; today: string }) {
  const { expected_close_date: day } = deal
  if (!day) return <span className={classes.none}>Not set</span>
  return (
    <time dateTime={day} className={isPastClose(deal, today) ? classes.past : undefined}>
      {shownDate(day)}
    </time>
  )
}
