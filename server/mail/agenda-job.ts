import { sql } from 'kysely'
import { z } from 'zod'
import { nextAgenda } from '#domain/agenda.ts'
import { type AgendaWords, agendaFacts, agendaWords } from '#domain/agenda-words.ts'
import { dateFormats, numberFormats, usualHabits, withHabits } from '#domain/habits.ts'
import type { RequestConnection } from '../backend/connections.ts'
import { doubled, type JobHandler } from '../jobs/jobs.ts'
import type { AgendaLinks } from './agenda-link.ts'
import { letterPayload } from './kept-letters.ts'
import { writeLetter } from './letter.ts'

const agenda = z.object({
  hour: z.number(),
  since: z.string(),
  last_day: z.string().nullable(),
  email: z.string(),
  time_zone: z.string(),
  // A value that another version of the server has stored, and this one does not know, falls back to the default.
  habits: z.object({
    currency: z.string().catch(usualHabits.currency),
    number_format: z.enum(numberFormats).catch(usualHabits.number_format),
    date_format: z.enum(dateFormats).catch(usualHabits.date_format),
    clock: z.union([z.literal(12), z.literal(24)]).catch(usualHabits.clock),
  }),
})

const pauseSeconds = doubled(60, 900)

type Parts = {
  connection: RequestConnection
  siteUrl: string
  links: AgendaLinks
  now?: () => number
}

/**
 * Writes the agenda of an account when its hour has come. It becomes a letter in the transaction that notes the day, so
 * each day has one, whichever process writes it, and an unreachable mail server loses none.
 */
export function agendaJob({ connection, siteUrl, links, now = Date.now }: Parts): JobHandler {
  const db = connection.kysely
  return {
    async work({ account }) {
      const found = await sql<{ told: unknown }>`
        select private.agenda_of(${account}::uuid) as told`.execute(db)
      const told = agenda.nullable().parse(found.rows[0]?.told ?? null)
      if (!told || !account) return
      const { hour, since, last_day, email, time_zone: timeZone } = told
      const rule = { hour, timeZone, since, lastDay: last_day }
      const next = nextAgenda(rule, now())
      if (next.at > now()) return { againIn: (next.at - now()) / 1000 }

      const read = await sql<{ facts: unknown }>`
        select private.agenda_facts(${account}::uuid) as facts`.execute(db)
      const facts = agendaFacts.parse(read.rows[0]?.facts)
      const words = withHabits(told.habits, () => agendaWords(facts, now(), timeZone))
      const off = `${siteUrl}${links.pathFor(account)}`
      const letter = words
        ? JSON.stringify(
            letterPayload({ to: email, ...agendaLetter(words, siteUrl, off) }, next.until),
          )
        : null
      await sql`select private.note_agenda(${account}::uuid, ${next.day}::date, ${letter}::jsonb)`.execute(
        db,
      )
      const following = nextAgenda({ ...rule, lastDay: next.day }, now())
      return { againIn: Math.max((following.at - now()) / 1000, 0) }
    },
    pause: (tries) => pauseSeconds(tries),
  }
}

function agendaLetter({ subject, title, sections }: AgendaWords, siteUrl: string, off: string) {
  return {
    subject,
    ...writeLetter({
      title,
      lines: [],
      sections: sections.map((section) => ({
        title: section.title,
        lines: section.lines.map(({ path, ...line }) => ({ ...line, url: `${siteUrl}${path}` })),
        more: section.more && { label: section.more.words, url: `${siteUrl}${section.more.path}` },
      })),
      notes: ['You get this because you turned on the agenda by email.'],
      links: [
        { label: 'Turn it off', url: off },
        { label: 'Change the hour', url: `${siteUrl}/app/settings/email` },
      ],
    }),
    unsubscribeUrl: off,
  }
}
