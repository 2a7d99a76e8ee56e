import { describe, expect, it } from 'vitest'
import { type AgendaFacts, agendaWords } from './agenda-words.ts'
import { usualHabits, withHabits } from './habits.ts'

const now = Date.parse('2026-11-18T06:00:00Z')
const timeZone = 'Europe/Berlin'
const nobody = {
  contact_id: null,
  company_id: null,
  deal_id: null,
  contact: null,
  company_name: null,
  deal_name: null,
}
const ada = {
  ...nobody,
  contact_id: 'c1',
  contact: { first_name: 'Ada', last_name: 'Lovelace' },
}
const nothing: AgendaFacts = {
  overdue: { total: 0, rows: [] },
  today: { total: 0, rows: [] },
  meetings: [],
  attention: { total: 0, rows: [] },
  replies: [],
}
const task = (title: string, due_date: string, rest: object = {}) => ({
  ...nobody,
  title,
  due_date,
  due_all_day: false,
  ...rest,
})

describe('agendaWords', () => {
  it('says nothing where there is nothing', () => {
    expect(agendaWords(nothing, now, timeZone)).toBeNull()
  })

  it('tells all of a day, with the place of each in the app', () => {
    const facts: AgendaFacts = {
      overdue: { total: 7, rows: [task('Call back', '2026-11-16T09:00:00Z')] },
      today: {
        total: 2,
        rows: [
          task('Send offer', '2026-11-18T14:30:00Z', { ...ada, deal_id: 'd1' }),
          task('Tidy up', '2026-11-18T22:59:59Z', { due_all_day: true }),
        ],
      },
      meetings: [{ ...ada, at: '2026-11-18T09:00:00Z', about: 'Contract\nand more' }],
      attention: {
        total: 1,
        rows: [
          {
            id: 'd2',
            name: 'Renewal',
            value: 1200,
            currency: null,
            has_next: false,
            is_stale: false,
            stage_since: null,
          },
        ],
      },
      replies: [
        {
          thread: 't1',
          subject: 'Offer',
          at: '2026-11-17T09:00:00Z',
          sender: 'ada@example.com',
          sender_name: null,
          contact_id: 'c1',
        },
      ],
    }
    expect(agendaWords(facts, now, timeZone)).toEqual({
      subject: 'Today: 1 meeting, 2 tasks due, 7 overdue, 1 reply waiting',
      title: 'Wednesday, November 18, 2026',
      sections: [
        {
          title: 'Meetings',
          lines: [
            {
              text: 'Meeting with Ada Lovelace',
              about: '10:00 · Contract',
              path: '/app/contacts/c1',
            },
          ],
          more: null,
        },
        {
          title: 'Due today',
          lines: [
            { text: 'Send offer', about: '15:30 · Ada Lovelace', path: '/app/deals/d1' },
            { text: 'Tidy up', about: '', path: '/app/tasks' },
          ],
          more: null,
        },
        {
          title: 'Overdue',
          lines: [{ text: 'Call back', about: 'Due Nov 16, 10:00', path: '/app/tasks' }],
          more: { words: 'and 6 more', path: '/app/tasks?tab=overdue' },
        },
        {
          title: 'Replies waiting',
          lines: [
            {
              text: 'ada@example.com',
              about: 'Offer · Nov 17, 2026',
              path: '/app/contacts/c1?conversation=t1',
            },
          ],
          more: null,
        },
        {
          title: 'Deals that need attention',
          lines: [{ text: 'Renewal', about: '$1,200 · No next step', path: '/app/deals/d2' }],
          more: null,
        },
      ],
    })
  })

  it('writes times and amounts as the user does, and as usual for the next', () => {
    const facts = {
      ...nothing,
      today: { total: 1, rows: [task('Call', '2026-11-18T14:30:00Z')] },
    }
    const about = () => agendaWords(facts, now, timeZone)?.sections[0]?.lines[0]?.about
    expect(withHabits({ ...usualHabits, clock: 12 }, about)).toBe('3:30 PM')
    expect(about()).toBe('15:30')
  })
})
