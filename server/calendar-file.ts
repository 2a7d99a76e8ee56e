import ical, {
  ICalAlarmRelatesTo,
  ICalAlarmType,
  ICalCalendarMethod,
  ICalEventTransparency,
} from 'ical-generator'
import { contactName } from '#domain/contact.ts'
import { toldMoney } from '#domain/money.ts'
import { type Priority, priorityNames } from '#domain/task.ts'

type CalendarTask = {
  id: string
  title: string
  description: string | null
  priority: Priority
  due_date: string
  /** The day of a task that is due on a whole day: `YYYY-MM-DD`. */
  due_day: string | null
  created_at: string
  updated_at: string
  contact_id: string | null
  company_id: string | null
  contact: { first_name: string | null; last_name: string | null } | null
  company_name: string | null
  deal_name: string | null
}

type CalendarDeal = {
  id: string
  name: string
  value: number
  currency: string
  expected_close_date: string
  created_at: string
  updated_at: string
  company_name: string | null
}

/** What one account has in its calendar: see the database's `calendar_events`. */
export type CalendarEvents = { tasks: CalendarTask[]; deals: CalendarDeal[] }

const minute = 60_000
const day = 24 * 60 * minute
/** When to remind of a whole day, in seconds after it began. */
const morning = 9 * 3600
/** How often a calendar program should ask, in seconds. */
const refreshEvery = 3600

/** From 1, the most urgent, to 9: RFC 5545. */
const priorityNumbers: Record<Priority, number> = { urgent: 1, high: 3, medium: 5, low: 7 }

/**
 * The calendar as an iCalendar file; the same events always give the same file. Neither tasks nor deals block
 * time, because they are not meetings.
 */
export function calendarFile({ tasks, deals }: CalendarEvents, publicUrl: string): string {
  const calendar = ical({
    name: 'Solo CRM',
    prodId: { company: 'Solo CRM', product: 'Calendar feed', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshEvery,
  })
  for (const task of tasks) {
    calendar
      .createEvent({
        ...history(task),
        ...whenOf(task),
        summary: clean(task.title),
        description: clean(aboutTask(task, publicUrl)),
        url: `${publicUrl}/app/tasks`,
        priority: priorityNumbers[task.priority],
      })
      .createAlarm({
        type: ICalAlarmType.display,
        description: clean(task.title),
        triggerAfter: task.due_day ? morning : 0,
      })
      // By default the library relates the alarm to the event's end, and ignores the option for it.
      .relatesTo(ICalAlarmRelatesTo.start)
  }
  for (const deal of deals) {
    calendar.createEvent({
      ...history(deal),
      ...wholeDay(deal.expected_close_date),
      summary: clean(`Expected close: ${deal.name} (${toldMoney(deal.value, deal.currency)})`),
      description: clean(aboutDeal(deal, publicUrl)),
      url: `${publicUrl}/app/deals`,
    })
  }
  return calendar.toString()
}

function whenOf({ due_date, due_day }: CalendarTask) {
  if (due_day) return wholeDay(due_day)
  const due = new Date(due_date)
  return { start: due, end: new Date(due.getTime() + 30 * minute) }
}

/** A whole day as UTC, so that the time zone of this machine does not move it. */
function wholeDay(name: string) {
  const start = new Date(`${name}T00:00:00Z`)
  return { start, end: new Date(start.getTime() + day), allDay: true }
}

/** The identity and version of an event for calendar programs. */
function history({ id, created_at, updated_at }: CalendarTask | CalendarDeal) {
  const created = new Date(created_at)
  const updated = new Date(updated_at)
  return {
    id: `${id}@solo-crm`,
    stamp: updated,
    created,
    lastModified: updated,
    // Must grow with every version, as the seconds between creation and change do.
    sequence: Math.max(0, Math.floor((updated.getTime() - created.getTime()) / 1000)),
    transparency: ICalEventTransparency.TRANSPARENT,
  }
}

function aboutTask(task: CalendarTask, publicUrl: string): string {
  const links = [
    task.contact &&
      `Contact: ${contactName(task.contact)}\n${publicUrl}/app/contacts/${task.contact_id}`,
    task.company_name &&
      `Company: ${task.company_name}\n${publicUrl}/app/companies/${task.company_id}`,
    task.deal_name && `Deal: ${task.deal_name}`,
    `Priority: ${priorityNames[task.priority]}`,
    `Tasks: ${publicUrl}/app/tasks`,
  ]
  return [task.description, links.filter(Boolean).join('\n')].filter(Boolean).join('\n\n')
}

function aboutDeal(deal: CalendarDeal, publicUrl: string): string {
  const lines = [
    deal.company_name && `Company: ${deal.company_name}`,
    `Deals: ${publicUrl}/app/deals`,
  ]
  return lines.filter(Boolean).join('\n')
}

/** Removes control characters that iCalendar forbids: all but line breaks and tabs. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '')
}
