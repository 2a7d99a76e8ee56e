import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Database } from '#lib/database.types.ts'
import { button, dialog } from './contact-list.ts'
import { expect, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { settled } from './requests.ts'

type Tables = Database['public']['Tables']

/** Columns that hold any text at all: no links to rows, no moments, no words out of a list. */
type TextColumn<Row> = {
  [Name in keyof Row]-?: string extends NonNullable<Row[Name]>
    ? Name extends
        | `${string}_id`
        | 'id'
        | `${string}_date`
        | `${string}_at`
        | 'repeat_start'
        | 'time_zone'
        // Values of own fields, and their options: no texts themselves.
        | 'custom'
        | 'options'
        // Lists, attacked beside.
        | 'emails'
        | 'phones'
        | 'links'
        | 'addresses'
        // Codes of three letters, and numbers.
        | 'currency'
        | 'rates'
        // The queries of lists, attacked beside.
        | 'screens'
        // The fields of a form, and what was sent to it, attacked beside.
        | 'fields'
        | 'lead'
        // Of what a file holds, said by the database.
        | 'sha256'
        | 'type'
        // Who is on a mail and what is attached, attacked beside; and ids without a link.
        | 'recipients'
        | 'attachments'
        | 'refs'
        | 'thread'
        | 'deal'
        | 'contact'
      ? never
      : Name
    : never
}[keyof Row]

/** Every table with such columns; a new one fails the check of types until it is attacked here. */
type Attacks = {
  [Name in keyof Tables as TextColumn<Tables[Name]['Insert']> extends never ? never : Name]: Record<
    TextColumn<Tables[Name]['Insert']>,
    string
  >
}

const script = `"'><img src=x data-attack onerror=document.title='taken'><script data-attack>alert(1)</script>`
// Where neither spaces nor length allow more.
const short = '"><img/src=x/data-attack/onerror=alert(1)>'
const markdown = [
  script,
  '[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) <javascript:alert(1)>',
  '![image](javascript:alert(1)) <svg data-attack onload=alert(1)> [x]: javascript:alert(1)',
  '<a href="javascript:alert(1)" data-attack>here</a> javascript:alert(1)',
].join('\n\n')

const attacks = {
  companies: {
    name: script,
    website: 'https://evil.example/"onmouseover="alert(1)"data-attack="',
    industry: script,
    location: script,
  },
  contacts: {
    first_name: script,
    last_name: `${short}{{constructor}}`,
    nickname: script,
    // No text: only a day is stored.
    birthday: '--05-03',
    middle_name: script,
    email: `${short}@evil.example`,
    phone_number: short,
    role_title: script,
    notes: markdown,
  },
  pipelines: { name: script },
  pipeline_stages: { name: script },
  deals: { name: script, lost_reason: script },
  deal_contacts: { role: short },
  tasks: { title: script, description: markdown },
  notes: { body: markdown, outcome: script },
  collections: { name: script },
  saved_views: { name: script, query: `q=${script}&sort=javascript:alert(1)` },
  email_templates: { name: script, subject: script, body: markdown },
  fields: { name: short },
  forms: {
    name: short,
    title: script,
    intro: markdown,
    thanks: script,
    // No text: only an address is stored.
    redirect_url: 'https://evil.example/"onmouseover="alert(1)"data-attack="',
    tag: short,
    task_title: script,
  },
  form_submissions: { who: script, key: script },
  // A slash would begin a folder.
  files: { name: script.replaceAll('/', '') },
  mail_accounts: {
    address: 'me@evil.example',
    name: script,
    login: script,
    // No text: only names of hosts are stored.
    imap_host: 'imap.evil.example',
    smtp_host: 'smtp.evil.example',
    signature: script,
  },
  mails: {
    sender: `${short}@evil.example`,
    sender_name: script,
    subject: script,
    snippet: script,
    body_text: markdown,
    body_html: markdown,
    folder: script,
  },
  // Only an address or a domain is stored.
  mail_exclusions: { value: `${short}@evil.example` },
  preferences: { display_name: script },
} satisfies Attacks

/** How the contacts were last seen, with which their screen opens. */
const seen = `sort=javascript:alert(1)&x=${script}`

/** In a label there is room for 40 letters. */
const label = '"><img src=x data-attack onerror=x>'

const lists = {
  emails: [`${short}@evil.example`, `"second${short}@evil.example`].map((value) => ({
    label,
    value,
  })),
  phones: [short, `${short} 2`].map((value) => ({ label, value })),
  addresses: [
    { label, street: script, postal_code: script, city: script, region: script, country: script },
  ],
}

/** Rows of every table, linked with each other, some of them deleted, with a script in every text. */
async function fill({ client, session }: User) {
  async function add<Name extends keyof Attacks>(table: Name, links: object = {}): Promise<string> {
    const row = { ...attacks[table], ...links }
    const { data, error } = await client
      // Which table it is, only the caller knows.
      .from(table as 'companies')
      .insert(row as Tables['companies']['Insert'])
      .select('id')
      .single()
    expect(error, table).toBeNull()
    return data?.id ?? ''
  }
  await client
    .from('preferences')
    .update({ ...attacks.preferences, screens: { contacts: { query: seen, widths: {} } } })
    .eq('user_id', session.user.id)
  const company_id = await add('companies', lists)
  const field = await add('fields', { record: 'contacts', kind: 'long text' })
  const contact_id = await add('contacts', {
    company_id,
    custom: { [field]: script },
    ...lists,
    links: [{ label, value: 'https://evil.example/"onmouseover="alert(1)"data-attack="' }],
  })
  // The same once more, so that they look like duplicates.
  const twin = await add('contacts', { company_id })
  const pipeline_id = await add('pipelines')
  const stage_id = await add('pipeline_stages', { pipeline_id })
  const links = { company_id, contact_id }
  const deal_id = await add('deals', { ...links, pipeline_id, stage_id, lost_reason: null })
  await add('deal_contacts', { deal_id, contact_id: twin })
  await add('deals', { ...links, lost_reason: null })
  await add('tasks', { ...links, deal_id, due_date: new Date().toISOString() })
  for (const record of [{ company_id }, { contact_id }, { deal_id }]) await add('notes', record)
  const collection_id = await add('collections')
  await client.from('collection_members').insert({ collection_id, contact_id })
  for (const screen of ['contacts', 'companies', 'deals', 'tasks'] as const) {
    await client.from('saved_views').insert({ ...attacks.saved_views, screen })
  }
  await add('email_templates')
  const lost = await add('deals', { ...links, lost_reason: null })
  await client.rpc('close_deals', { filter: { ids: [lost] }, outcome: 'lost', reason: script })
  for (const table of ['contacts', 'companies', 'deals', 'tasks'] as const) {
    const id = await add(table, table === 'deals' ? { lost_reason: null } : {})
    await client.from(table).delete().eq('id', id)
  }
  const form_id = await add('forms')
  await add('form_submissions', {
    form_id,
    doubts: ['trap'],
    lead: { lines: [{ label: script, text: markdown }] },
  })
  const page = Buffer.from(`<!doctype html>${script}`)
  const sha256 = createHash('sha256').update(page).digest('hex')
  await client.rpc('start_upload', { sha256, size: page.length })
  await client.rpc('add_upload_part', { sha256, part: 0, bytes: page.toString('base64') })
  await client.rpc('finish_upload', { sha256 })
  for (const record of [{ company_id }, { contact_id }, { deal_id }]) {
    await add('files', { ...record, sha256 })
  }
  const account_id = await add('mail_accounts')
  await add('mails', {
    account_id,
    message_id: script,
    recipients: [{ role: 'to', name: script, address: `${short}@evil.example` }],
    attachments: [{ part: '2', name: script, type: script, size: 1 }],
  })
  await add('mail_exclusions')
  // What assistants and other programs are called, and what one of them proposes.
  await client.rpc('create_access_token', { name: label, scope: 'read' })
  const { data: made } = await client.rpc('create_access_token', { name: label, scope: 'propose' })
  await client.rpc(
    'call_with_token' as never,
    {
      p_token: Reflect.get(Object(made), 'token'),
      p_name: 'save_record',
      p_args: { kind: 'companies', changes: { name: script } },
    } as never,
  )
  await client.rpc('create_webhook', {
    url: `https://evil.example/${short.replaceAll('>', '')}`,
    events: ['created'],
  })
  const { data: feed } = await client.rpc('create_calendar_feed', {})
  return { company_id, contact_id, deal_id, twin, pipeline_id, token: feed?.token ?? '' }
}

/** The words of the script stand on the page, and nothing of it lives. */
async function expectHarmless(page: Page): Promise<void> {
  await settled(page)
  await expect(page.getByText('data-attack').filter({ visible: true }).first()).toBeVisible()
  const alive = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '[data-attack], [href^="javascript:" i], [href^="data:" i], [onerror]',
      ),
    ].map((node) => node.outerHTML),
  )
  expect(alive, page.url()).toEqual([])
  expect(await page.title()).not.toBe('taken')
}

test('scripts stored in every text of every table run on no screen', { tag: '@long' }, async ({
  page,
  signUp,
  begin,
}) => {
  test.slow() // some twenty screens
  const opened: string[] = []
  page.on('dialog', async (each) => {
    // Typed text is asked about before it is left; everything else would be a script's.
    if (each.type() !== 'beforeunload') opened.push(each.message())
    await each.accept()
  })
  const user = await signUp()
  const { company_id, contact_id, deal_id, pipeline_id, token } = await fill(user)
  await begin(user, '/app/settings/import')

  for (const path of [
    'dashboard',
    'contacts',
    `contacts/${contact_id}`,
    'companies',
    `companies/${company_id}`,
    'deals?view=list',
    `deals?view=board&pipeline=${pipeline_id}`,
    `deals/${deal_id}`,
    'tasks',
    'tasks?view=agenda',
    'reports',
    'settings',
    'settings/trash',
    'settings/history',
    'settings/duplicates',
    'settings/forms',
    'settings/connections',
  ]) {
    await test.step(path, async () => {
      await visit(page, `/app/${path}`)
      await expectHarmless(page)
    })
  }

  await test.step('what a receiver of webhooks answers', async () => {
    const delivery = {
      id: company_id,
      event: 'created',
      status: 'failed',
      tries: 1,
      is_asked: false,
    }
    await page.route('**/rest/v1/rpc/webhook_deliveries', (route) =>
      route.fulfill({
        json: [
          {
            ...{ ...delivery, at: new Date().toISOString(), tried_at: new Date().toISOString() },
            ...{ http_status: 500, problem: script, answer: script, body: '{}' },
          },
        ],
      }),
    )
    await visit(page, '/app/settings/connections')
    await page.getByRole('button', { name: /^Deliveries to/ }).click()
    await button(page, 'Details of created').click()
    await expect(page.getByText('data-attack').last()).toBeVisible()
    await expectHarmless(page)
    await page.unroute('**/rest/v1/rpc/webhook_deliveries')
  })

  await test.step('print', async () => {
    await visit(page, '/app/reports')
    await page.emulateMedia({ media: 'print' })
    await expectHarmless(page)
    await page.emulateMedia({ media: 'screen' })
  })

  await test.step('merge', async () => {
    await visit(page, '/app/settings/duplicates')
    await button(page, 'Merge').first().click()
    await expect(dialog(page, 'Merge contacts')).toBeVisible()
    await expectHarmless(page)
  })

  await test.step('search', async () => {
    await visit(page, '/app/settings')
    await button(page, 'Search').click()
    await page
      .getByRole('dialog', { name: 'Quick Actions' })
      .getByRole('combobox')
      .fill('data-attack')
    await expect(page.getByRole('option').filter({ hasText: 'data-attack' }).first()).toBeVisible()
    await expectHarmless(page)
  })

  await test.step('an email that is handed over, as where no mailbox is connected', async () => {
    const { data: boxes } = await user.client.from('mail_accounts').select('id').throwOnError()
    for (const { id } of boxes ?? []) {
      await user.client.rpc('remove_mail_account', { id, with_mails: false }).throwOnError()
    }
    await page.goto('/app/contacts')
    await page
      .getByLabel(/^Select .*data-attack/)
      .first()
      .check()
    await button(page, 'Send email').click()
    const form = dialog(page, 'Send email')
    await form.getByRole('textbox', { name: 'Subject' }).fill(`${script}{{first_name}}`)
    await form.getByRole('textbox', { name: 'Message' }).fill(`${script}{{first_name}} {{company}}`)
    await expect(form.getByRole('region', { name: 'Preview' })).toContainText('data-attack')
    await expectHarmless(page)
  })

  await test.step('import', async () => {
    await page.goto('/app/settings/import')
    const cell = `"${script.replaceAll('"', '""')}"`
    const text = `First Name,Email,${cell}\n${cell},eve@evil.example,${cell}\n${cell},nobody,x\n`
    await page.getByLabel('File to import').setInputFiles({
      name: '<img src=x data-attack>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })
    await expectHarmless(page)
    await page.getByRole('button', { name: /^Check [\d,]+ rows?$/ }).click()
    await expect(page.getByRole('region', { name: 'Dry run' })).toBeVisible()
    await expectHarmless(page)
  })

  await test.step('calendar feed', async () => {
    const feed = await page.request.get(`/calendar/${token}.ics`)
    expect(feed.headers()).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    expect((await feed.text()).replaceAll(/\r\n[ \t]/g, '')).toContain('data-attack')
  })

  await test.step('words in an address', async () => {
    const words = encodeURIComponent(script)
    await page.goto(`/app/contacts?q=${words}&sort=${words}`)
    await settled(page)
    await expect(page.locator('[data-attack]')).toHaveCount(0)
    await page.context().clearCookies()
    await page.goto(`/auth?view=${words}#error=${words}&error_description=${words}`)
    await settled(page)
    await expect(page.locator('[data-attack]')).toHaveCount(0)
  })
  expect(opened).toEqual([])
})
