import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Doubt } from '#domain/lead-doubts.ts'
import { type ShownForm, shownForm } from '#domain/lead-form.ts'
import type { Lead } from '#domain/lead-reading.ts'
import type { CardContact } from '#domain/vcard.ts'
import { describeError, logProblem } from '../log.ts'
import { letterPayload } from '../mail/kept-letters.ts'
import { writeLetter } from '../mail/letter.ts'
import type { RequestConnection } from './connections.ts'
import type { Keys } from './keys.ts'
import { publicAnswer } from './public-error.ts'
import { chosenAnswer, serverCalls } from './server-calls.ts'

/** What became of a submission: the database's status, or its refusal. */
type Submitted = { status: 'accepted' | 'waiting' | 'repeated' } | { refusal: Response }

/** A page of the contacts of a feed. */
export type CardPage = { mark: string; rows: CardContact[]; next: string | null }

/** What people without a session can do: fill in a form, and read contacts into an address book. */
export type Leads = {
  /** The form at a public address; null where there is none. Throws `DatabaseAway`, as the others. */
  form(address: string): Promise<ShownForm | null>
  /**
   * Stores a submission; null where there is no such form. With a mail server, a mail to the owner about an accepted
   * one is planned in the same transaction.
   */
  submit(form: ShownForm, address: string, lead: Lead, doubts: Doubt[]): Promise<Submitted | null>
  /** A proof that a text comes from this server. */
  sign(text: string): string
  /** A page of the contacts of a feed of cards; null where there is no such feed. */
  cards(token: string, after: string | null): Promise<CardPage | null>
}

type Parts = {
  connection: RequestConnection
  keys: Pick<Keys, 'jwtSecret'>
  siteUrl: string
  /** How long one statement may take, in milliseconds. */
  limit: number
  /** Without one, mails are only written to files, and none is sent about leads. */
  hasMailServer: boolean
}

/** Calls the database with `service_role`; the function writes as the owner, under the owner’s policies. */
export function openLeads({ connection, keys, siteUrl, limit, hasMailServer }: Parts): Leads {
  // Another key than that of the tokens, so that no stamp can be taken for one.
  const key = createHmac('sha256', keys.jwtSecret).update('stamps of forms').digest()

  const ask = serverCalls(connection, limit)

  return {
    async form(address) {
      const answer = await ask(
        `form ${address}`,
        sql`select public.shown_form(${address}) as answer`,
      )
      return answer === null ? null : shownForm.parse(answer)
    },
    async submit(form, address, lead, doubts) {
      const words = JSON.stringify(lead)
      const list = `{${doubts.join(',')}}`
      const letter = hasMailServer ? leadLetter(form, lead, siteUrl) : null
      try {
        return await ask<Submitted | null>(
          `form ${address}`,
          sql`select public.submit_form(${address}, ${words}::jsonb, ${list}::text[]) as answer`,
          async (answer, db) => {
            const isAccepted = answer && 'status' in answer && answer.status === 'accepted'
            if (!isAccepted || !letter) return
            // A random key: planned under the same key, this mail would replace one that still waits.
            await sql`select private.plan_job('letter', ${`${form.account} lead ${randomUUID()}`},
              ${form.account}::uuid, ${JSON.stringify(letter)}::jsonb)`.execute(db)
          },
        )
      } catch (error) {
        const refusal = chosenAnswer(error) ?? publicAnswer(connection.normalizeDbError(error))
        if (refusal) return { refusal }
        throw error
      }
    },
    sign: (text) => createHmac('sha256', key).update(text).digest('base64url'),
    async cards(token, after) {
      const page = sql`select public.card_page(${token}, ${after}::uuid) as answer`
      return ask<CardPage | null>('cards', page)
    },
  }
}

/** In seconds. */
const goodFor = 24 * 3600

/** The mail about a submission; nothing where its owner has no address to which one can go. */
function leadLetter({ email, name }: ShownForm, { who, lines }: Lead, siteUrl: string) {
  if (!email) return null
  const message = {
    to: email,
    // Names of strangers stand in the text alone: a subject could lead a mail program astray.
    subject: `New lead from ${oneLine(name)}`,
    ...writeLetter({
      title: who ? `${oneLine(who)} filled in ${name}` : `Someone filled in ${name}`,
      lines: lines.map(({ label, text }) => `${label}: ${text}`),
      action: { label: 'Open Solo CRM', url: `${siteUrl}/app/contacts` },
      notes: [`You get this because of your form “${name}”.`],
    }),
  }
  try {
    return letterPayload(message, Date.now() + goodFor * 1000)
  } catch (error) {
    // A lead must not be lost because nobody can be told of it.
    logProblem(`A mail about a lead could not be written: ${describeError(error)}`)
    return null
  }
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 100)
}
