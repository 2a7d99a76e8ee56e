import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Doubt } from '#domain/lead-doubts.ts'
import { type ShownForm, shownForm } from '#domain/lead-form.ts'
import type { Lead } from '#domain/lead-reading.ts'
import type { CardContact } from '#domain/vcard.ts'
import { writeLetter } from '../mail/letter.ts'
import type { SendLetter } from '../mail/message.ts'
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
  submit(address: string, lead: Lead, doubts: Doubt[]): Promise<Submitted | null>
  /** A proof that a text comes from this server. */
  sign(text: string): string
  /** Tells the owner of a form about a submission by mail, where there is a mail server. */
  tell(form: ShownForm, lead: Lead): Promise<void>
  /** A page of the contacts of a feed of cards; null where there is no such feed. */
  cards(token: string, after: string | null): Promise<CardPage | null>
}

type Parts = {
  connection: RequestConnection
  keys: Pick<Keys, 'jwtSecret'>
  siteUrl: string
  /** How long one statement may take, in milliseconds. */
  limit: number
  /** Nothing where mails only lie in files. */
  send: SendLetter | null
}

/** Calls the database with `service_role`; the function writes as the owner, under the owner’s policies. */
export function openLeads({ connection, keys, siteUrl, limit, send }: Parts): Leads {
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
    async submit(address, lead, doubts) {
      const words = JSON.stringify(lead)
      const list = `{${doubts.join(',')}}`
      try {
        return await ask<Submitted | null>(
          `form ${address}`,
          sql`select public.submit_form(${address}, ${words}::jsonb, ${list}::text[]) as answer`,
        )
      } catch (error) {
        const refusal = chosenAnswer(error) ?? publicAnswer(connection.normalizeDbError(error))
        if (refusal) return { refusal }
        throw error
      }
    },
    sign: (text) => createHmac('sha256', key).update(text).digest('base64url'),
    async tell({ account, email, name }, { who, lines }) {
      if (!send || !email) return
      // Names of strangers stand in the text alone: a subject could lead a mail program astray.
      await send({
        to: email,
        subject: `New lead from ${oneLine(name)}`,
        ...writeLetter({
          title: who ? `${oneLine(who)} filled in ${name}` : `Someone filled in ${name}`,
          lines: lines.map(({ label, text }) => `${label}: ${text}`),
          action: { label: 'Open Solo CRM', url: `${siteUrl}/app/contacts` },
          notes: [`You get this because of your form “${name}”.`],
        }),
        account,
        kind: 'lead',
        validSeconds: 24 * 3600,
      })
    },
    async cards(token, after) {
      const page = sql`select public.card_page(${token}, ${after}::uuid) as answer`
      return ask<CardPage | null>('cards', page)
    },
  }
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 100)
}
