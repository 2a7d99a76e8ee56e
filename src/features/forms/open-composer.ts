import type { ContactFilter } from '#domain/contact-filter.ts'
import type { MailDraft } from '#domain/mail-draft.ts'
import type { Json } from '#lib/database.types.ts'
import { createStore } from '#lib/store.ts'
import type { Linked } from './open-form.ts'

/** The record that a mail is written on: its files are offered, and new ones are kept on it. */
export type MailSubject = Linked & { record: 'contact' | 'company' | 'deal' }

/** What an answer needs of the mail that it answers. */
export type AnsweredMail = {
  id: string
  direction: 'in' | 'out'
  sender: string | null
  sender_name: string | null
  recipients: { role: string; name: string; address: string }[]
  subject: string | null
  body_text: string | null
  body_html: string | null
  sent_at: string
  deal: string | null
  account_id: string | null
}

export type ComposerRequest = {
  /** The contacts to write to. */
  contacts?: { filter: ContactFilter; count: number }
  /** Or the contacts of these companies or deals, who are looked up when it opens. */
  behind?: { record: 'companies' | 'deals'; filter: Json }
  /** Or somebody by an address: the contact who has it, if there is one. */
  address?: string
  subject?: MailSubject
  answer?: { mail: AnsweredMail; isToAll: boolean }
  /** The id of a mail in the outbox: it is written on, does not leave meanwhile, and is replaced when this is sent. */
  outgoing?: string
  /** Mails that were stopped by an undo: replaced when this is sent, deleted when it is discarded. */
  undone?: string[]
  /** Files that were stored for this mail alone: deleted when it is discarded. */
  storedFiles?: string[]
  /** As it was when it was sent, after an undo; with the files that were not stored before. */
  draft?: { start: MailDraft; files: ReadonlyMap<string, File> }
  /** Called when it was sent or logged, or that was undone. */
  onSent?: () => void
}

const place = createStore<ComposerRequest | null>(null)

/** Opens the composer from anywhere; or, where nothing can be sent from here, what hands over to another program. */
export function openComposer(request: ComposerRequest): void {
  place.set(request)
}

/** What the composer was opened with, for the host that renders it and for what is below it. */
export function useComposer() {
  return { request: place.useValue(), close: () => place.set(null) }
}
