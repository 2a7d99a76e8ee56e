import { z } from 'zod'
import { contactName } from './contact.ts'
import { counted } from './counted.ts'
import { clockTime, longDay, shownDay, weekdayName } from './dates.ts'
import { attentionReason } from './deal.ts'
import { shownMoney } from './money.ts'
import { shownDue } from './task.ts'

const maybe = z.string().nullable()
const named = z.object({ first_name: maybe, last_name: maybe }).nullable()

const links = z.object({
  contact_id: maybe,
  company_id: maybe,
  deal_id: maybe,
  contact: named,
  company_name: maybe,
  deal_name: maybe,
})

const task = links.extend({ title: z.string(), due_date: z.string(), due_all_day: z.boolean() })
const tasks = z.object({ total: z.number(), rows: z.array(task) })

/** What the database tells about a day. */
export const agendaFacts = z.object({
  overdue: tasks,
  today: tasks,
  meetings: z.array(links.extend({ at: z.string(), about: maybe })),
  attention: z.object({
    total: z.number(),
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        value: z.number(),
        currency: maybe,
        has_next: z.boolean(),
        is_stale: z.boolean(),
        stage_since: maybe,
      }),
    ),
  }),
  replies: z.array(
    z.object({
      thread: z.string(),
      subject: maybe,
      at: z.string(),
      sender: maybe,
      sender_name: maybe,
      contact_id: z.string(),
    }),
  ),
})

export type AgendaFacts = z.output<typeof agendaFacts>

type Line = { text: string; about: string; path: string }

/** A part of the agenda: what it is about, its lines, and where the rest of them is. */
type AgendaSection = {
  title: string
  lines: Line[]
  more: { words: string; path: string } | null
}

export type AgendaWords = { subject: string; title: string; sections: AgendaSection[] }

/** How many lines a section has at most. */
const most = 10

/** The agenda in words, with paths of the app; null where there is nothing to say. */
export function agendaWords(facts: AgendaFacts, now: number, timeZone: string): AgendaWords | null {
  const { overdue, today, meetings, attention, replies } = facts
  const sections = [
    section('Meetings', meetings.length, '/app/tasks', meetings.map(meetingLine)),
    section('Due today', today.total, '/app/tasks', today.rows.map(todayLine)),
    section('Overdue', overdue.total, '/app/tasks?tab=overdue', overdue.rows.map(overdueLine)),
    section('Replies waiting', replies.length, '/app/dashboard', replies.map(replyLine)),
    section('Deals that need attention', attention.total, dealsPath, attention.rows.map(dealLine)),
  ].filter(({ lines }) => lines.length > 0)
  if (sections.length === 0) return null
  const parts = [
    ...(meetings.length > 0 ? [counted(meetings.length, 'meeting')] : []),
    ...(today.total > 0 ? [`${counted(today.total, 'task')} due`] : []),
    ...(overdue.total > 0 ? [`${overdue.total} overdue`] : []),
    ...(replies.length > 0 ? [`${counted(replies.length, 'reply', 'replies')} waiting`] : []),
  ]
  const rest = `${counted(attention.total, 'deal needs', 'deals need')} attention`
  const day = `${weekdayName(now, timeZone)}, ${longDay(new Date(now).toISOString(), timeZone)}`
  // No words of the records: a subject shows on locked screens.
  return { subject: `Today: ${parts.join(', ') || rest}`, title: day, sections }

  function todayLine({ title, ...rest }: AgendaFacts['today']['rows'][number]): Line {
    const time = rest.due_all_day ? [] : [clockTime(rest.due_date, timeZone)]
    return { text: title, about: joined(...time, whoOf(rest)), path: pathOf(rest) }
  }

  function overdueLine({ title, ...rest }: AgendaFacts['today']['rows'][number]): Line {
    const about = joined(`Due ${shownDue(rest, timeZone)}`, whoOf(rest))
    return { text: title, about, path: pathOf(rest) }
  }

  function meetingLine({ at, about, ...rest }: AgendaFacts['meetings'][number]): Line {
    const who = whoOf(rest)
    const words = (about ?? '').split('\n')[0]?.trim() ?? ''
    return {
      text: who ? `Meeting with ${who}` : 'Meeting',
      about: joined(clockTime(at, timeZone), words),
      path: pathOf(rest),
    }
  }

  function replyLine(mail: AgendaFacts['replies'][number]): Line {
    const { subject, at, sender, sender_name, contact_id, thread } = mail
    return {
      text: sender_name ?? sender ?? 'Someone',
      about: joined(subject ?? 'No subject', shownDay(at, timeZone)),
      path: `/app/contacts/${contact_id}?conversation=${thread}`,
    }
  }

  function dealLine(deal: AgendaFacts['attention']['rows'][number]): Line {
    const worth = shownMoney(deal.value, deal.currency)
    return {
      text: deal.name,
      about: joined(worth, attentionReason(deal, now)),
      path: `/app/deals/${deal.id}`,
    }
  }
}

const dealsPath = '/app/deals?attention=no_next_step&attention=stalled&sort=value'

function section(title: string, total: number, path: string, lines: Line[]): AgendaSection {
  const shown = lines.slice(0, most)
  const left = total - shown.length
  return { title, lines: shown, more: left > 0 ? { words: `and ${left} more`, path } : null }
}

type Linked = z.output<typeof links>

function whoOf({ contact, company_name, deal_name }: Linked): string {
  return (contact ? contactName(contact) : null) ?? company_name ?? deal_name ?? ''
}

function pathOf({ contact_id, company_id, deal_id }: Linked): string {
  if (deal_id) return `/app/deals/${deal_id}`
  if (contact_id) return `/app/contacts/${contact_id}`
  return company_id ? `/app/companies/${company_id}` : '/app/tasks'
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join(' · ')
}
