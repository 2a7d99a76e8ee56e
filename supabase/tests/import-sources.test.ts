import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Papa from 'papaparse'
import { beforeAll, describe, expect, test } from 'vitest'
import { allDealFields, dealCsvHeader, dealCsvRow } from '#domain/deal-csv.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importBytes } from './import-file.ts'

const folder = join(import.meta.dirname, '../../domain/test-files')

type Contact = Record<string, unknown>

const entry = (value: string, label = '') => ({ label, value })

/** What each source's file becomes; the contacts in the order of the file. */
const contactFiles: { file: string; rejected?: number; contacts: Contact[] }[] = [
  {
    file: 'google.csv',
    contacts: [
      {
        first_name: 'Zoë',
        last_name: 'Ångström',
        email: 'zoe@fjord.example',
        phone_number: '+47 22 11 00 99',
        role_title: 'Buyer',
        company: 'Fjord & Sons',
        notes: 'Met in Oslo.\nLikes tea, not coffee.',
        emails: [entry('zoe@fjord.example', 'work'), entry('zoe.private@example.org', 'work')],
        phones: [entry('+47 22 11 00 99', 'mobile'), entry('+47 22 11 00 98', 'mobile')],
        links: [entry('https://fjord.example', 'Website')],
      },
      { first_name: null, last_name: null, phone_number: '+1 (555) 010-0199' },
      { first_name: 'Plumber', phone_number: '555 0100' },
    ],
  },
  {
    file: 'google-old.csv',
    contacts: [
      {
        first_name: 'Grace',
        last_name: 'Hopper',
        email: 'grace@navy.example',
        role_title: 'Rear Admiral',
        company: 'Navy',
      },
      { first_name: 'Alan', last_name: 'Turing' },
    ],
  },
  {
    file: 'outlook.csv',
    contacts: [
      {
        first_name: 'Jürgen',
        last_name: 'Müller',
        email: 'j.mueller@example.de',
        phone_number: '+49 170 1234567',
        role_title: 'Geschäftsführer',
        company: 'Müller & Söhne GmbH',
        // Node reads some signs of Windows-1252 wrong; browsers do not, and their test is in e2e.
        notes: expect.stringContaining('gut'),
        emails: [entry('j.mueller@example.de'), entry('juergen@example.net')],
        phones: [entry('+49 170 1234567', 'mobile'), entry('+49 30 123', 'work')],
      },
      {
        first_name: 'Claire',
        last_name: 'Dupré',
        role_title: null,
        phone_number: '01 23 45 67 89',
      },
    ],
  },
  {
    file: 'hubspot-contacts.csv',
    contacts: [
      'New',
      'New',
      'Contacted',
      'Qualified',
      'Unqualified',
      'Contacted',
      'Contacted',
      'Unqualified',
    ].map((lead_status, index) => ({
      last_name: 'Spot',
      lead_status,
      company: 'Hub Inc',
      created_at: `2026-03-0${index + 1}T09:30:00.000Z`,
    })),
  },
  {
    file: 'pipedrive-people.csv',
    contacts: [
      {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@engine.example',
        phone_number: '+44 20 7946 0000',
        role_title: 'Analyst',
        company: 'Engine Ltd',
        notes: 'Full name: Ada King Lovelace',
        emails: [entry('ada@engine.example', 'work'), entry('ada@home.example', 'home')],
        phones: [entry('+44 20 7946 0000', 'mobile')],
      },
      { first_name: 'Charles', last_name: 'Babbage', company: 'Engine Ltd' },
    ],
  },
  {
    file: 'linkedin.csv',
    rejected: 1,
    contacts: [
      { first_name: 'Lin', last_name: 'Ked', email: null, company: 'Net, Inc.' },
      { first_name: 'Mail', email: 'mail@net.example', role_title: null, company: 'Net, Inc.' },
    ],
  },
  {
    file: 'salesforce-contacts.csv',
    contacts: [
      {
        first_name: 'Sal',
        email: 'sal@force.example',
        phone_number: '(415) 555-0100',
        role_title: 'SVP, Sales',
        company: 'Force, Inc',
        notes: null,
        phones: [entry('(415) 555-0100'), entry('(415) 555-0101', 'mobile')],
      },
    ],
  },
  {
    file: 'salesforce-leads.csv',
    contacts: [
      { first_name: 'Lea', lead_status: 'New', company: 'Lead AG' },
      { first_name: 'Wor', lead_status: 'Contacted', company: 'Lead AG' },
    ],
  },
  {
    file: 'own.csv',
    contacts: [
      {
        first_name: 'Own',
        last_name: 'Data, quoted',
        email: 'own@example.com',
        phone_number: '+49 30 1',
        role_title: 'Owner',
        lead_status: 'Proposal Sent',
        notes: '=SUM(A1)',
        created_at: '2024-02-29T12:30:45.678Z',
      },
      {
        first_name: null,
        email: null,
        notes: null,
        lead_status: 'New',
        created_at: '2024-03-01T00:00:00.000Z',
      },
    ],
  },
  {
    file: 'excel-semicolons.csv',
    contacts: [
      { first_name: 'Ümit', last_name: 'Öz', notes: 'eins, zwei' },
      { first_name: 'Bo', last_name: 'Li', notes: 'drei, vier' },
    ],
  },
  { file: 'excel-unicode.txt', contacts: [{ first_name: 'Łukasz', last_name: 'Żak' }] },
]

onAnyDatabase((database) => {
  /** From the file's bytes to the rows that are stored. */
  async function importFile(account: Account, name: string) {
    return (await importBytes(account, await readFile(join(folder, name)))).summary
  }

  describe('contacts', () => {
    test.each(contactFiles)('$file', async ({ file, contacts, rejected = 0 }) => {
      const account = await database().signUp()
      const summary = await importFile(account, file)
      expect(summary).toMatchObject({ added: contacts.length, rejected, skipped: 0, updated: 0 })
      const rows = await database().query<Contact & { place: number; created_at: string }>(
        `select c.first_name, c.last_name, c.email, c.phone_number, c.role_title, c.lead_status, c.notes, c.created_at,
           c.emails, c.phones, c.links, k.name as company
         from public.contacts c left join public.companies k on k.id = c.company_id
         where c.user_id = ? order by c.created_at ${contacts[0]?.created_at ? '' : 'desc'}`,
        account.id,
      )
      const stored = rows.map((row) => ({
        ...row,
        created_at: new Date(row.created_at).toISOString(),
      }))
      expect(stored).toMatchObject(contacts)
      // The same file once more changes nothing.
      expect(await importFile(account, file)).toMatchObject({
        added: 0,
        skipped: contacts.length,
      })
    })
  })

  describe('companies and deals', () => {
    let account: Account
    beforeAll(async () => {
      account = await database().signUp()
    })

    test('hubspot-companies.csv', async () => {
      expect(await importFile(account, 'hubspot-companies.csv')).toMatchObject({
        added: 2,
        rejected: 1,
      })
      const { data } = await account.client
        .from('companies')
        .select('name, website, industry, location')
        .order('name')
      expect(data).toEqual([
        {
          name: 'Hub Inc',
          website: 'https://hub.example',
          industry: 'COMPUTER_SOFTWARE',
          location: 'Boston, United States',
        },
        {
          name: 'Zweite, GmbH',
          website: 'https://zweite.example/start',
          industry: null,
          location: 'Köln',
        },
      ])
    })

    async function deals(names: string) {
      return database().query(
        `select d.name, d.value, d.expected_close_date::text, d.closed_at::date::text as closed, d.lost_reason, p.name as pipeline,
           s.name as stage, k.name as company, c.email, c.first_name as contact
         from public.deals d
         left join public.pipelines p on p.id = d.pipeline_id
         left join public.pipeline_stages s on s.id = d.stage_id
         left join public.companies k on k.id = d.company_id
         left join public.contacts c on c.id = d.contact_id
         where d.user_id = ? and d.name like ? order by d.created_at, d.name`,
        account.id,
        names,
      )
    }

    test('hubspot-deals.csv', async () => {
      expect(await importFile(account, 'hubspot-deals.csv')).toMatchObject({
        added: 3,
        contacts: 1,
        companies: 0,
      })
      const nia = { company: 'Hub Inc', email: 'nia@hub.example', contact: 'Nia' }
      const rows = await deals('%')
      expect(rows).toHaveLength(3)
      expect(rows).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            name: 'Hub rollout',
            value: 12_000.5,
            expected_close_date: '2026-12-24',
            closed: null,
            pipeline: 'Sales Pipeline',
            stage: 'Appointment Scheduled',
            ...nia,
          }),
          expect.objectContaining({
            name: 'Hub pilot',
            stage: 'Closed Won',
            closed: '2026-05-04',
            ...nia,
          }),
          expect.objectContaining({
            name: 'Partner deal',
            value: 0,
            pipeline: 'Partners',
            stage: 'First call',
            company: null,
          }),
        ]),
      )
    })

    test('pipedrive-deals.csv', async () => {
      expect(await importFile(account, 'pipedrive-deals.csv')).toMatchObject({
        added: 3,
        companies: 1,
        contacts: 1,
      })
      const rest = { pipeline: 'Pipe', company: 'Engine Ltd' }
      expect(await deals('Engine%')).toMatchObject([
        {
          name: 'Engine one',
          value: 1200,
          stage: 'Qualified',
          contact: 'Ada',
          closed: null,
          ...rest,
        },
        {
          name: 'Engine two',
          stage: 'Closed Lost',
          lost_reason: 'Too expensive',
          closed: '2026-04-01',
          ...rest,
        },
        { name: 'Engine three', stage: 'Closed Won', closed: '2026-04-02', contact: null, ...rest },
      ])
      const [first] = await ok(
        account.client.from('deals').select('created_at').eq('name', 'Engine one'),
      )
      expect(first?.created_at).toBe('2026-01-02T08:15:00+00:00')
    })

    test('our own export of deals gives the same deals, in another account and in the same one', async () => {
      const other = await database().signUp()
      type Card = Parameters<typeof dealCsvRow>[0] & { pipeline_id: string | null }
      /** As the screen reads and writes them. */
      const exported = async ({ client }: Account) => {
        const page = await ok(client.rpc('deal_page', { sort: 'name', page_size: 100 }))
        const { rows } = page as unknown as { rows: Card[] }
        const pipelines = (await ok(client.rpc('pipeline_list'))) as { id: string; name: string }[]
        const named = rows.map((row) => ({
          ...row,
          pipeline_name: pipelines.find(({ id }) => id === row.pipeline_id)?.name ?? null,
        }))
        const lines = named.map((deal) => dealCsvRow(deal, allDealFields))
        return Papa.unparse([dealCsvHeader(allDealFields), ...lines], { newline: '\r\n' })
      }
      const [pipeline] = await ok(account.client.from('pipelines').select('id').limit(1))
      const stage = { name: 'Won', pipeline_id: pipeline?.id ?? '', order: 9 }
      const [won] = await ok(account.client.from('pipeline_stages').insert(stage).select('id'))
      await ok(
        account.client
          .from('deals')
          .insert([{ name: "'=x", stage_id: won?.id ?? null }, { name: '=SUM(A1), "quoted"' }])
          .select('id'),
      )
      // Written by hand: what an import loses would be missing before and after.
      const [lost] = await ok(
        account.client.from('pipeline_stages').select('id').eq('name', 'Closed Lost').limit(1),
      )
      const [company] = await ok(
        account.client.from('companies').insert({ name: 'Trip, Ltd' }).select('id'),
      )
      const person = { first_name: 'Mary Ann', last_name: 'Trip', email: 'mary@trip.example' }
      const [contact] = await ok(account.client.from('contacts').insert(person).select('id'))
      const links = { company_id: company?.id ?? null, contact_id: contact?.id ?? null }
      await ok(
        account.client
          .from('deals')
          .insert({ name: 'Trip', stage_id: lost?.id ?? null, lost_reason: 'Too late', ...links })
          .select('id'),
      )
      const text = await exported(account)
      expect(text).toMatch(
        /Trip,[^,]+,Closed Lost,0.00,USD,,"Trip, Ltd",Mary Ann,Trip,mary@trip.example,Too late,,.+,.+/,
      )
      expect((await importBytes(other, `\uFEFF${text}`)).summary).toMatchObject({
        added: 9,
        rejected: 0,
      })
      expect(await exported(other)).toBe(text)
      expect(text).toContain('No Stage')
      const stages = await ok(other.client.from('pipeline_stages').select('name'))
      expect(stages.map(({ name }) => name)).not.toContain('No Stage')
      // Where they are already, there is nothing to do.
      expect((await importBytes(account, text)).summary).toMatchObject({ added: 0, skipped: 9 })
    })
  })
})
