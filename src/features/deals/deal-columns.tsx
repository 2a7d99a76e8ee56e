import { contactName } from '#domain/contact.ts'
import { shownDate } from '#domain/dates.ts'
import { isPastClose, stageColor, stageLabel } from '#domain/deal.ts'
import { type DealColumn, dealFields, dealSorts } from '#domain/fields/deals.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { shownMoney } from '#domain/money.ts'
import { NextTask, RecordLink } from '#features/fields/index.ts'
import { type ColumnsOptions, tableColumns } from '#features/tables/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import type { Column } from '#ui/data-table.tsx'
import { RecordAvatar, RecordCell } from '#ui/record-cell.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './deal-columns.module.css'
import { DealMarks } from './deal-marks.tsx'
import type { Deal } from './queries.ts'

export type DealColumnsOptions = ColumnsOptions<Deal, DealColumn>

/** The table's columns: the deal itself, and what was chosen. `today` is that of the user's calendar. */
export function columnsOf(options: DealColumnsOptions, today: string): Column<Deal>[] {
  return tableColumns(
    {
      record: {
        key: 'deal',
        header: 'Deal',
        width: 220,
        cell: (deal, to) => (
          <RecordCell
            avatar={<RecordAvatar text={firstLetter(deal.name) || '?'} />}
            name={deal.name}
            to={to}
          >
            <DealMarks deal={deal} />
            <WaitingMark id={deal.id} />
          </RecordCell>
        ),
      },
      fields: dealFields,
      sorts: dealSorts,
      edited: ['stage_id', 'value', 'expected_close_date', 'tags'],
      nameOf: dealName,
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
        next_task: ({ next_task }) => <NextTask task={next_task} timeZone={options.timeZone} />,
      },
    },
    options,
  )
}

export const dealName = ({ name }: Deal) => name

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
