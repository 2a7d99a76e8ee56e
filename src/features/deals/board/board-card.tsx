import { IconBuilding, IconCalendarEvent, IconChecklist, IconUser } from '@tabler/icons-react'
import { memo, useDeferredValue } from 'react'
import { Link, useLocation } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { dayInYear, dayOf, shownDay } from '#domain/dates.ts'
import { isPastClose } from '#domain/deal.ts'
import { shownMoney } from '#domain/money.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { useDraggableRef } from '#ui/draggables.ts'
import { fromList } from '#ui/from-list.ts'
import { ExpectedClose } from '../deal-columns.tsx'
import { DealMarks } from '../deal-marks.tsx'
import { DealMenu } from '../deal-menu.tsx'
import type { Deal } from '../queries.ts'
import classes from './board-card.module.css'
import { MoveHandle, moveHelp } from './move-handle.tsx'
import type { CardHandlers } from './use-board-drag.ts'

/** The estimated height of a card, by its number of lines. */
export function cardHeight(deal: Deal): number {
  const lines = [deal.company_name ?? deal.contact, deal.next_task].filter(Boolean).length
  return 70 + lines * 24
}

export type CardDates = {
  timeZone: string
  /** Today on the user's calendar. */
  today: string
}

export type CardActions = {
  onEdit: (deal: Deal) => void
  onPointAtEdit: () => void
  onLost: (deal: Deal) => void
}

type BoardCardProps = {
  deal: Deal
  isLifted: boolean
  dates: CardDates
  handlers: CardHandlers
  actions: CardActions
  isScrolling: () => boolean
}

/**
 * A deal on the board. The pointer can drag it anywhere, the keyboard uses its handle. One that comes while its column scrolls
 * shows its name first: the rest is rendered in short pieces of work, which the next turn of the wheel interrupts.
 */
export const BoardCard = memo(function BoardCard({
  deal,
  isLifted,
  dates,
  handlers,
  actions,
  isScrolling,
}: BoardCardProps) {
  const ref = useDraggableRef(deal.id)
  const isWhole = useDeferredValue(true, !isScrolling())
  const { search } = useLocation()
  return (
    <article
      ref={ref}
      className={classes.card}
      data-card={deal.id}
      data-lifted={isLifted || undefined}
      aria-label={deal.name}
      style={isWhole ? undefined : { height: cardHeight(deal) }}
    >
      <div className={classes.head}>
        <Link
          to={`/app/deals/${deal.id}${search}`}
          state={fromList}
          className={classes.name}
          title={deal.name}
          draggable={false}
          data-card-link
          aria-describedby={moveHelp}
          onKeyDown={(event) => handlers.pick(event, deal)}
        >
          <bdi>{deal.name}</bdi>
        </Link>
        {isWhole && (
          <div className={classes.actions}>
            <MoveHandle deal={deal} handlers={handlers} isLifted={isLifted} />
            <DealMenu deal={deal} {...actions} />
          </div>
        )}
      </div>
      {isWhole && <CardFacts deal={deal} dates={dates} />}
    </article>
  )
})

/** The card at the pointer during a drag. */
export function HeldCard({ deal, dates }: { deal: Deal; dates: CardDates }) {
  return (
    <div className={classes.card} data-held aria-hidden>
      <div className={classes.head}>
        <span className={classes.name}>
          <bdi>{deal.name}</bdi>
        </span>
      </div>
      <CardFacts deal={deal} dates={dates} />
    </div>
  )
}

const icon = { size: 14, stroke: 1.5, 'aria-hidden': true }

function CardFacts({ deal, dates }: { deal: Deal; dates: CardDates }) {
  const { company_name, contact, next_task } = deal
  const people = [company_name, contact && contactName(contact)].filter(Boolean).join(' · ')
  return (
    <>
      <div className={classes.line}>
        <span className={classes.value}>{shownMoney(deal.value, deal.currency)}</span>
        <WaitingMark id={deal.id} />
        {!people && <DealMarks deal={deal} />}
        {deal.expected_close_date && (
          <span
            className={classes.close}
            data-past={isPastClose(deal, dates.today) || undefined}
            title="Expected close"
          >
            <IconCalendarEvent {...icon} />
            <ExpectedClose deal={deal} today={dates.today} />
          </span>
        )}
      </div>
      {people && (
        <div className={classes.line}>
          {company_name ? <IconBuilding {...icon} /> : <IconUser {...icon} />}
          <span className={classes.cut} title={people}>
            <bdi>{people}</bdi>
          </span>
          {/* Beside value and date they would not fit into a narrow column. */}
          <DealMarks deal={deal} />
        </div>
      )}
      {next_task && (
        <div className={classes.line} title={nextTaskTitle(next_task, dates.timeZone)}>
          <IconChecklist {...icon} />
          <span className={classes.cut}>
            <bdi>{next_task.title}</bdi>
          </span>
          {next_task.due_date && (
            <span className={classes.due}>{shownDue(next_task.due_date, dates)}</span>
          )}
        </div>
      )}
    </>
  )
}

/** Without this year, since the column leaves the task's title little room beside it. */
function shownDue(due: string, { today, timeZone }: CardDates): string {
  const isThisYear = dayOf(due, timeZone).slice(0, 4) === today.slice(0, 4)
  return isThisYear ? dayInYear(due, timeZone) : shownDay(due, timeZone)
}

function nextTaskTitle(
  { title, due_date }: NonNullable<Deal['next_task']>,
  timeZone: string,
): string {
  const due = due_date ? `, ${shownDay(due_date, timeZone)}` : ''
  return `Next task: ${title}${due}`
}
