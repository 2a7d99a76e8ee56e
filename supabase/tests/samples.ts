import type { Database } from '#lib/database.types.ts'
import { png, upload } from './file-calls.ts'
import { type Account, ok } from './harness.ts'

let count = 0

/** Some names may be given only once. */
function once(name: string): string {
  count += 1
  return `${name} ${count}`
}

type Row = Record<string, unknown>

/** Tables that a signed-in user fills; the others are the database's own. */
export type SampleTable = Exclude<
  keyof Database['public']['Tables'],
  'preferences' | 'changes' | 'calendar_feeds' | 'card_feeds'
>

/** The smallest valid row of each table, with the rows it hangs on, as its owner would add it. */
export const samples: Record<SampleTable, (owner: Account, values?: Row) => Promise<Row>> = {
  companies: async () => ({ name: 'Acme' }),
  contacts: async () => ({ first_name: 'Ada', email: 'ada@example.com' }),
  pipelines: async () => ({ name: 'Partners' }),
  pipeline_stages: async (owner) => ({
    name: once('Pilot'),
    pipeline_id: await firstPipeline(owner),
  }),
  deals: async () => ({ name: 'Renewal', value: 1200.5 }),
  tasks: async () => ({ title: 'Call Ada' }),
  notes: async (owner, values = {}) => ({
    body: 'Likes tea',
    minutes: 12,
    contact_id: 'contact_id' in values ? values.contact_id : (await add(owner, 'contacts')).id,
  }),
  collections: async () => ({ name: once('Friends') }),
  collection_members: async (owner, values = {}) => ({
    collection_id: values.collection_id ?? (await add(owner, 'collections')).id,
    contact_id: values.contact_id ?? (await add(owner, 'contacts')).id,
  }),
  deal_contacts: async (owner, values = {}) => ({
    deal_id: values.deal_id ?? (await add(owner, 'deals')).id,
    contact_id: values.contact_id ?? (await add(owner, 'contacts')).id,
    role: 'Decides',
  }),
  saved_views: async () => ({ screen: 'contacts', name: once('New ones'), query: 'status=New' }),
  email_templates: async () => ({
    name: once('Hello'),
    subject: 'Hello',
    body: 'Dear {{first_name}}',
  }),
  not_duplicates: async (owner, values = {}) => {
    if (values.one_contact_id) return {}
    const [one, other] = [await add(owner, 'contacts'), await add(owner, 'contacts')]
    const [first, second] = [one.id, other.id].sort()
    return { one_contact_id: first, other_contact_id: second }
  },
  fields: async () => ({ record: 'contacts', name: once('Budget'), kind: 'text' }),
  forms: async () => ({ name: 'Website', tag: 'web' }),
  form_submissions: async (owner, values = {}) => ({
    form_id: values.form_id ?? (await add(owner, 'forms')).id,
    who: 'Ada',
    doubts: ['trap'],
    lead: { lines: [{ label: 'Email', text: 'ada@example.com' }] },
  }),
  files: async (owner, values = {}) => {
    const sha256 = await upload(owner, png)
    await ok(owner.client.rpc('finish_upload', { sha256 }))
    const isLinked = ['contact_id', 'company_id', 'deal_id', 'note_id'].some((link) => values[link])
    return {
      name: 'offer.png',
      sha256,
      ...(isLinked ? {} : { contact_id: (await add(owner, 'contacts')).id }),
    }
  },
  mail_accounts: async () => ({
    address: `${once('me').replace(' ', '')}@example.com`,
    imap_host: 'imap.example.com',
    smtp_host: 'smtp.example.com',
  }),
  mails: async () => ({
    message_id: `<${once('mail').replace(' ', '')}@example.com>`,
    sender: 'ada@example.com',
    recipients: [{ role: 'to', name: '', address: 'me@example.com' }],
    subject: 'Offer',
    body_text: 'Dear Sir',
    sent_at: '2026-11-15T10:00:00Z',
  }),
  mail_exclusions: async () => ({ value: `${once('left-out').replace(' ', '')}.example` }),
}

/** Tables hang on each other at run time only; the client's types would need one call for each. */
export function table(owner: Pick<Account, 'client'>, name: SampleTable) {
  return owner.client.from(name as 'companies')
}

/** Adds a sample row and gives it back. */
export async function add(
  owner: Account,
  name: SampleTable,
  values: Row = {},
): Promise<Row & { id: string }> {
  const row = { user_id: owner.id, ...(await samples[name](owner, values)), ...values }
  return ok(
    table(owner, name)
      .insert(row as never)
      .select()
      .single(),
  )
}

async function firstPipeline(owner: Account): Promise<string> {
  const { id } = await ok(owner.client.from('pipelines').select('id').limit(1).single())
  return id
}
