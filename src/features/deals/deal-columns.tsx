import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { shownDate, shownDay } from '#domain/dates.ts'
import { isPastClose, stageColor, stageLabel } from '#domain/deal.ts'
import { type DealColumn, dealFields } from '#domain/fields/deals.ts'
import { columnLabels } from '#domain/fields/list.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { shownMoney } from '#domain/money.ts'
import type { Column } from '#ui/data-table.tsx'
import { fromList } from '#ui/from-list.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './deal-columns.module.css'
import type { Deal } from './queries.ts'

type ColumnsOptions = {
  shown: DealColumn[]
  linkTo: (deal: Deal) => string
  timeZone: string
  /** Today on the user's calendar. */
  today: string
}

/** The table's columns: the deal itself, and what was chosen. */
export function columnsOf({ shown, linkTo, timeZone, today }: ColumnsOptions): Column<Deal>[] {
  const all: Record<DealColumn, Omit<Column<Deal>, 'key' | 'header'>> = {
    stage: {
      width: 130,
      grow: 1,
      sort: 'stage',
      cell: ({ stage_name }) => <StageBadge stage={stage_name} />,
    },
    value: {
      width: 130,
      grow: 1,
      sort: 'value',
      isFigure: true,
      cell: ({ value }) => shownMoney(value),
    },
    expected_close: {
      width: 130,
      grow: 1,
      sort: 'expected_close',
      cell: (deal) => <ExpectedClose deal={deal} today={today} />,
    },
    company: {
      width: 130,
      grow: 2,
      sort: 'company',
      cell: ({ company_name }) => <Cut text={company_name} />,
    },
    contact: {
      width: 130,
      grow: 2,
      sort: 'contact',
      cell: ({ contact }) => <Cut text={contact && contactName(contact)} />,
    },
    next_task: {
      width: 140,
      grow: 2,
      cell: ({ next_task }) => <Cut text={next_task && taskWords(next_task, timeZone)} />,
    },
    created: {
      width: 110,
      grow: 1,
      sort: 'created',
      cell: ({ created_at }) => shownDay(created_at, timeZone),
    },
  }
  return [
    {
      key: 'deal',
      header: 'Deal',
      sort: 'name',
      width: 220,
      grow: 4,
      cell: (deal) => <DealCell deal={deal} to={linkTo(deal)} />,
    },
    ...columnLabels(dealFields, shown).map(({ key, label }) => ({
      key,
      header: label,
      ...all[key],
    })),
  ]
}

function taskWords({ title, due_date }: NonNullable<Deal['next_task']>, timeZone: string) {
  return due_date ? `${shownDay(due_date, timeZone)} · ${title}` : title
}

function DealCell({ deal, to }: { deal: Deal; to: string }) {
  return (
    <div className={classes.deal}>
      <DealAvatar deal={deal} />
      <Link to={to} state={fromList} data-row-link className={classes.name} title={deal.name}>
        <bdi>{deal.name}</bdi>
      </Link>
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

/** One line of text, in full on hover; '-' when empty. */
function Cut({ text }: { text: string | null }) {
  if (!text) return <span className={classes.none}>-</span>
  return <bdi title={text}>{text}</bdi>
}
