import { dayInYear, dayOf, weekdayName } from '#domain/dates.ts'
import { daysAfter } from '#domain/local-time.ts'
import { agendaHeading } from '#domain/task-days.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import classes from './day-zones.module.css'

const week = Array.from({ length: 7 }, (_, index) => index)

/** While a task of the agenda is dragged: the next seven days, also those whose heading is far away or that have none. */
export function DayZones({ target }: { target: string | null }) {
  const timeZone = useTimeZone()
  const now = useNow()
  const today = dayOf(now, timeZone)
  return (
    <div className={classes.zones} aria-hidden>
      {week.map((days) => {
        const day = daysAfter(today, days)
        const noon = Date.parse(`${day}T12:00:00Z`)
        const [name] = agendaHeading(day, now, timeZone).split(',')
        return (
          <div
            key={day}
            className={classes.zone}
            data-day={day}
            data-target={target === day || undefined}
          >
            <span className={classes.name}>{name}</span>
            <span className={classes.short}>
              {days === 0 ? name : weekdayName(noon, 'UTC').slice(0, 3)}
            </span>
            <span className={classes.date}>{dayInYear(noon, 'UTC')}</span>
          </div>
        )
      })}
    </div>
  )
}
