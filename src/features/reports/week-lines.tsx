import { Text } from '@mantine/core'
import { shownDate, shownDay } from '#domain/dates.ts'
import { stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { reasonLabel } from '#domain/report.ts'
import type { ReviewCall, ReviewDeal, ReviewTask } from '#domain/week-review.ts'
import { openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { NoLines, RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import reports from './reports.module.css'
import classes from './week-page.module.css'

type Part<Row> = { total: number; rows: Row[] }
type LinesProps<Row> = { title: string; part: Part<Row>; empty: string }

function More({ part: { total, rows } }: { part: Part<unknown> }) {
  if (total <= rows.length) return null
  return (
    <Text size="xs" c="dimmed" pt="sm">
      {`Showing ${rows.length} of ${shownNumber(total)}`}
    </Text>
  )
}

export function DealLines({ title, part, empty }: LinesProps<ReviewDeal>) {
  return (
    <RecordSection title={title} count={shownNumber(part.total)}>
      {part.total === 0 && <NoLines>{empty}</NoLines>}
      <RecordLines
        rows={part.rows}
        renderLine={(deal) => (
          <RecordLine
            name={deal.name}
            to={`/app/deals/${deal.id}`}
            about={<bdi>{aboutDeal(title, deal)}</bdi>}
            badge={<span className={reports.value}>{shownMoney(deal.value, deal.currency)}</span>}
          />
        )}
      />
      <More part={part} />
    </RecordSection>
  )
}

/** What matters of a deal depends on the list that it stands in. */
function aboutDeal(title: string, deal: ReviewDeal): string {
  const { company_name, expected_close_date: close, lost_reason, from, to } = deal
  const fact =
    to !== undefined
      ? `${stageLabel(from ?? null)} to ${stageLabel(to)}`
      : title === 'Lost'
        ? reasonLabel(lost_reason)
        : close && title !== 'Won' && `Closes ${shownDate(close)}`
  return [fact, company_name].filter(Boolean).join(' · ')
}

export function TaskLines({ title, part, empty }: LinesProps<ReviewTask>) {
  const timeZone = useTimeZone()
  return (
    <RecordSection title={title} count={shownNumber(part.total)}>
      {part.total === 0 && <NoLines>{empty}</NoLines>}
      <ul className={classes.tasks}>
        {part.rows.map(({ id, title: name, due_date, about }) => (
          <li key={id} className={classes.task}>
            <button
              type="button"
              className={classes.taskName}
              onClick={() => openForm({ form: 'task', task: id })}
            >
              <bdi>{name}</bdi>
            </button>
            <span className={classes.about}>
              {due_date && `Due ${shownDay(due_date, timeZone)}`}
              {about && (
                <>
                  {' · '}
                  <bdi>{about}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <More part={part} />
    </RecordSection>
  )
}

export function CallLines({ part }: { part: Part<ReviewCall> }) {
  const timeZone = useTimeZone()
  return (
    <RecordSection title="Calls made" count={shownNumber(part.total)}>
      {part.total === 0 && <NoLines>No calls logged</NoLines>}
      <RecordLines
        rows={part.rows}
        renderLine={({ kind, record_id, name, body, outcome, happened_at }) => (
          <RecordLine
            name={name ?? 'Unnamed'}
            to={kind ? `/app/${kind}/${record_id}` : '/app/contacts'}
            about={<bdi>{[outcome, body].filter(Boolean).join(' · ')}</bdi>}
            badge={<span className={reports.value}>{shownDay(happened_at, timeZone)}</span>}
          />
        )}
      />
      <More part={part} />
    </RecordSection>
  )
}
