import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { button, expectToast } from './contact-list.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { entry, region } from './record-page.ts'
import { fail, hold } from './requests.ts'

const path = '/app/settings/import'
const rpc = (name: string) => `**/rest/v1/rpc/${name}`
const files = join(import.meta.dirname, '../domain/test-files')

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
/** Longer than a name can be. */
const endless = `=1+${'1'.repeat(200)}`
const people = `First Name,Last Name,Email,Phone,Company,Shoe size
Ada,Byron,ADA@example.com,1,Acme,38
Bob,Babbage,bob@example.com,2,Acme,44
${endless},Formula,,3,,
Bob,Twin,bob@example.com,4,,
`

const zohoCells: [header: string, cell: string, shown?: string][] = [
  ['Record Id', 'zcrm_1'],
  ['Contact Owner', 'Sam'],
  ['Lead Source', 'Advertisement'],
  ['First Name', 'Zoe'],
  ['Last Name', 'Ho'],
  ['Account Name', 'Zylker'],
  ['Email', 'zoe@zylker.example'],
  ['Title', 'Buyer'],
  ['Department', 'Purchasing'],
  ['Phone', '+91 44 1000 0001'],
  ['Fax', '+91 44 1000 0009'],
  ['Mobile', '+91 90000 00001'],
  ['Date of Birth', '1988-02-29', 'Feb 29, 1988'],
  ['Assistant', 'Anand'],
  ['Asst Phone', '+91 44 1000 0002'],
  ['Email Opt Out', 'FALSE', 'Email Opt Out: No'],
  ['Created Time', '2026-02-03 11:00:00', 'Feb 3, 2026'],
  ['Salutation', 'Ms.'],
  ['Secondary Email', 'zoe.private@zylker.example'],
  ['Mailing Street', '5 Beach Rd'],
  ['Mailing City', 'Chennai'],
  ['Mailing Zip', '600001'],
  ['Mailing Country', 'India'],
  ['Description', 'Prefers calls in the morning.'],
  ['Skype ID', 'zoe.ho'],
  ['Twitter', 'zoeho'],
  ['Tag', 'vip'],
]

/** A row with the headers of another program. */
const zoho = `${zohoCells.map(([header]) => header).join()}\n${zohoCells.map(([, cell]) => cell).join()}\n`

/** How a page shows it; the id of the other program and its one owner are left out. */
const zohoShown = zohoCells
  .slice(2)
  .map(([header, cell, shown]) => [header, shown ?? cell] as const)

type Given = string | { name: string; text: string | Buffer }

async function give(page: Page, file: Given): Promise<void> {
  await page
    .getByLabel('File to import')
    .setInputFiles(
      typeof file === 'string'
        ? file
        : { name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.text) },
    )
}

const understood = (page: Page) => page.getByRole('region', { name: 'File' })
const dryRun = (page: Page) => page.getByRole('region', { name: 'Dry run' })
const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })
const rows = (page: Page) => page.getByRole('region', { name: 'Rows of the file' })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** From a chosen file to its dry run. */
async function check(page: Page, file: Given): Promise<void> {
  await give(page, file)
  await page.getByRole('button', { name: /^Check [\d,]+ rows?$/ }).click()
  await expect(dryRun(page)).toBeVisible()
}

async function stored(user: User) {
  const { data } = await user.client
    .from('contacts')
    .select('first_name, last_name, email, phone_number, notes')
    .order('email')
  return data ?? []
}

test('choosing a file, and a dry run', async ({ step, longStep, page, enter, scan }) => {
  await longStep('drop a file, choose one or paste', async () => {
    await enter(path)
    await give(page, { name: 'people.csv', text: people })
    await expect(understood(page).getByText('4 rows, 6 columns, 6 matched')).toBeVisible()
    await button(page, 'Choose another file').click()
    await button(page, 'Discard').click()

    const dropped = await page.evaluateHandle((text) => {
      const carried = new DataTransfer()
      carried.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }))
      return carried
    }, people)
    const zone = page.getByRole('region', { name: 'Choose what to import' })
    await zone.dispatchEvent('drop', { dataTransfer: dropped })
    await expect(page.getByRole('heading', { name: 'dropped.csv' })).toBeVisible()
    await button(page, 'Choose another file').click()
    await button(page, 'Discard').click()

    await button(page, 'Paste rows').click()
    await page.getByLabel('Rows with their header').fill('Deal Name\tValue\nRenewal\t1,200.50\n')
    await test.step('what is to be pasted is accessible, light and dark', () => scan())
    // What has been put there is not left behind without a word.
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
    await button(page, 'Keep editing').click()
    await button(page, 'Read rows').click()
    await expect(page.getByRole('heading', { name: 'Pasted text' })).toBeVisible()
    await expect(page.getByLabel('Import as')).toHaveValue('deals')
    await expect(page.getByLabel('Delimiter')).toHaveValue('\t')
  })
  await longStep(
    'encoding, header and columns are found, and can be said otherwise by hand',
    async () => {
      const user = await enter(path)
      await give(page, join(files, 'outlook.csv'))
      await expect(page.getByLabel('Encoding')).toHaveValue('windows-1252')
      await expect(page.getByRole('cell', { name: 'Größe 5 € – “gut”' })).toBeVisible()
      await expect(page.getByLabel('Field of Job Title')).toHaveValue('role_title')
      await test.step('what was understood is accessible', () => scan(understood(page)))
      // The salutation becomes a field, as every column that is not known.
      await expect(page.getByLabel('Name of the new field for Title')).toHaveValue('Title')
      await page.getByLabel('Field of Title', { exact: true }).selectOption('Role Title')
      await expect(page.getByLabel('Field of Job Title')).toHaveValue('')
      await page.getByLabel('Import as').selectOption('Companies')
      await expect(page.getByLabel('Field of Company')).toHaveValue('name')
      // It is noticed that these are people.
      await button(page, 'Import as contacts').click()
      await expect(page.getByLabel('Field of Company')).toHaveValue('company')
      await page.getByLabel('Field of Title', { exact: true }).selectOption('Don’t import')
      await expect(understood(page).getByText('Not imported: Title.')).toBeVisible()
      await button(page, 'Check 2 rows').click()
      await button(page, 'Import 2 contacts').click()
      await expect(summary(page).getByText('2 contacts added')).toBeVisible()
      expect((await stored(user))[0]).toMatchObject({
        first_name: 'Jürgen',
        notes: expect.stringContaining('Größe 5 € – “gut”'),
      })

      await button(page, 'Import another file').click()
      await give(page, join(files, 'linkedin.csv'))
      await expect(page.getByLabel('Header row')).toHaveValue('4')
      await expect(page.getByLabel('Encoding')).toHaveValue('utf-8')
    },
  )
  await step(
    'a dry run shows new / update / duplicate / error per row with the reason; then the import, and its undo',
    async () => {
      const user = await enter(path)
      await user.client.from('contacts').insert(ada)
      const release = await hold(page, rpc('import_page'))
      await check(page, { name: 'people.csv', text: people })
      await expect(tab(page, 'New (1)')).toHaveAttribute('aria-selected', 'true')
      // A button that moves when the rows come is missed by whoever presses it in that moment.
      const place = await button(page, 'Import 1 contact').boundingBox()
      release()
      await expect(rows(page).getByText('Bob Babbage')).toBeVisible()
      expect(await button(page, 'Import 1 contact').boundingBox()).toEqual(place)
      await tab(page, 'Duplicate (2)').click()
      await expect(rows(page).getByText('Ada Lovelace already has this email.')).toBeVisible()
      await expect(rows(page).getByText('The same email is in row 3.')).toBeVisible()
      await tab(page, 'Error (1)').click()
      await expect(
        rows(page).getByText('First Name can have at most 200 characters.'),
      ).toBeVisible()
      await test.step('the dry run is accessible', () => scan(page.getByRole('main')))
      await expect.poll(() => stored(user)).toHaveLength(1)

      await test.step('rejected rows as CSV to download', async () => {
        const coming = page.waitForEvent('download')
        await button(page, 'Download rejected rows').click()
        const download = await coming
        expect(download.suggestedFilename()).toBe('rejected-people.csv')
        expect(await readFile(await download.path(), 'utf8')).toBe(
          '\uFEFFReason,First Name,Last Name,Email,Phone,Company,Shoe size\r\n' +
            `First Name can have at most 200 characters.,'${endless},Formula,,3,,\r\n`,
        )
      })

      await button(page, 'Import 1 contact').click()
      await expect(
        summary(page).getByText(
          '1 contact added, 1 company also created, 2 duplicates skipped, 1 row rejected.',
        ),
      ).toBeVisible()
      await test.step('the summary is accessible', () => scan(summary(page)))
      await expect
        .poll(() => stored(user))
        .toMatchObject([{ last_name: 'Lovelace' }, { last_name: 'Babbage' }])
      await button(page, 'Undo import').click()
      await expect(page.getByRole('heading', { name: 'Import undone' })).toBeVisible()
      await expectToast(page, 'Undone')
      await expect.poll(() => stored(user)).toMatchObject([ada])
    },
  )
  await longStep(
    'what a file says otherwise is told before it is written, and deals are updated unless told otherwise',
    async () => {
      const user = await enter(path)
      await user.client.from('contacts').insert({ ...ada, notes: 'Mine', lead_status: 'Qualified' })
      await check(page, {
        name: 'people.csv',
        text: 'First Name,Email,Lead Status\nAda,ada@example.com,Customer\n"Bob" B,b@x.com,Hot\nCy,"c@x.com,\n',
      })
      await expect(dryRun(page).getByText('“Hot” (1 row) becomes New for new')).toBeVisible()
      await expect(rows(page).getByText('"Bob" B')).toBeVisible()
      await expect(
        rows(page).getByText('Lead status "Hot" is unknown: becomes New. The original'),
      ).toBeVisible()
      await tab(page, 'Error (1)').click()
      await expect(
        rows(page).getByText('A quotation mark in this row is never closed.'),
      ).toBeVisible()
      await page.getByLabel('Update from the file').check()
      await tab(page, 'Update (1)').click()
      await expect(rows(page).getByText(/"Customer" .* the status stays as it is/)).toBeVisible()
      await button(page, 'Import 2 contacts').click()
      await expect(summary(page)).toBeVisible()
      const { data } = await user.client
        .from('contacts')
        .select('lead_status, notes')
        .order('email')
      expect(data).toEqual([
        { lead_status: 'Qualified', notes: 'Mine\nLead status: Customer' },
        { lead_status: 'New', notes: 'Lead status: Hot' },
      ])

      await user.client.from('deals').insert({ name: 'Renewal', value: 100 })
      await button(page, 'Import another file').click()
      const deals = 'Deal Name,Value,Status,Won time\nRenewal,150,Won,2026-05-04\nPilot,5,Open,\n'
      await check(page, { name: 'deals.csv', text: deals })
      await expect(page.getByLabel('Update from the file')).toBeChecked()
      await tab(page, 'Update (1)').click()
      await expect(rows(page).getByText('Renewal already exists.')).toBeVisible()
      await expect(rows(page).getByText('$150 · Closed Won on May 4, 2026')).toBeVisible()
      await expect(rows(page).getByText('Value: $100.00 › $150.00')).toBeVisible()
      await expect(rows(page).getByText('Stage: No Stage › Closed Won')).toBeVisible()
      await button(page, 'Import 2 deals').click()
      await expect(summary(page).getByText(/^1 deal added, 1 deal updated/)).toBeVisible()
    },
  )
})

test('importing', { tag: '@long' }, async ({
  step,
  longStep,
  begin,
  page,
  enter,
  signUp,
  scan,
}) => {
  await longStep('duplicates can be updated or created anyway', async () => {
    const user = await enter(path)
    await user.client.from('contacts').insert({ ...ada, notes: 'Mine' })
    await check(page, { name: 'people.csv', text: people })
    await page.getByLabel('Update from the file').check()
    await tab(page, 'Update (1)').click()
    await expect(rows(page).getByText('Ada Lovelace already has this email.')).toBeVisible()
    await expect(tab(page, 'Duplicate (1)')).toBeVisible()
    await button(page, 'Import 2 contacts').click()
    await expect(summary(page).getByText(/^1 contact added, 1 contact updated/)).toBeVisible()
    await expect
      .poll(() => stored(user))
      .toMatchObject([
        { first_name: 'Ada', last_name: 'Byron', phone_number: '1', notes: 'Mine' },
        { last_name: 'Babbage' },
      ])
    await button(page, 'Import another file').click()
    await test.step('the same file twice: the second time all are duplicates', async () => {
      await check(page, { name: 'people.csv', text: people })
      await expect(tab(page, 'Duplicate (3)')).toHaveAttribute('aria-selected', 'true')
      await expect(button(page, 'Nothing to import')).toBeDisabled()
    })
    await page.getByLabel('Import as new').check()
    await expect(tab(page, 'New (3)')).toBeVisible()
    await button(page, 'Import 3 contacts').click()
    await expect(summary(page).getByText(/^3 contacts added/)).toBeVisible()
    await expect.poll(() => stored(user)).toHaveLength(5)
    // The dashboard tells of it.
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    const activity = page.getByRole('region', { name: 'Recent Activity' })
    await expect(activity.getByText(/^Imported 3 contacts/)).toBeVisible()
  })
  await longStep('columns that we have no field for are kept, and go with the import', async () => {
    const user = await enter(path)
    const names = async () => {
      const { data } = await user.client.from('fields').select('name, kind').order('position')
      return data?.map(({ name, kind }) => `${name}: ${kind}`)
    }
    await give(page, {
      name: 'people.csv',
      text: 'Email,Budget,Level,Record ID\na@x.com,$40,Gold,1\nb@x.com,$50,Silver,2\n',
    })
    await expect(understood(page).getByText('Not imported: Record ID.')).toBeVisible()
    await page.getByLabel('Type of the new field for Level').selectOption('Choice')
    await page.getByLabel('Name of the new field for Level').fill('Metal')
    await button(page, 'Check 2 rows').click()
    await expect(dryRun(page).getByText('Not imported: Record ID.')).toBeVisible()
    await expect.poll(() => names()).toEqual([])
    await button(page, 'Import 2 contacts').click()
    await expect(summary(page).getByText('2 contacts added')).toBeVisible()
    await expect.poll(() => names()).toEqual(['Budget: money', 'Metal: choice'])
    const { data } = await user.client.from('contacts').select('id').eq('email', 'a@x.com')
    await visit(page, `/app/contacts/${data?.[0]?.id}`)
    await expect(page.getByText('Gold', { exact: true })).toBeVisible()
    await expect(page.getByText('$40', { exact: true })).toBeVisible()
    await visit(page, path)
    await check(page, { name: 'more.csv', text: 'Email,Metal\na@x.com,Tin\n' })
    await page.getByLabel('Update from the file').check()
    await tab(page, 'Update (1)').click()
    await expect(rows(page).getByText('Metal: Gold › Tin')).toBeVisible()
    await button(page, 'Choose another file').click()
    await button(page, 'Discard').click()
    const past = page.getByRole('region', { name: 'Past imports' })
    await button(past, 'Undo the import of people.csv').click()
    await expect(past.getByText('Undone', { exact: true })).toBeVisible()
    await expect.poll(() => names()).toEqual([])
  })
  await longStep('further addresses, places and links are on the page of the contact', async () => {
    const user = await enter(path)
    const header = 'First Name,Work Email,Home Email,Mobile,Business City,LinkedIn'
    const cells = 'Ada,ada@work.example,ada@home.example,+44 20 1,London,linkedin.com/in/ada'
    await check(page, { name: 'people.csv', text: `${header}\n${cells}\n` })
    await button(page, 'Import 1 contact').click()
    await expect(summary(page).getByText('1 contact added')).toBeVisible()
    const { data } = await user.client.from('contacts').select('id, notes')
    expect(data).toMatchObject([{ notes: null }])
    await visit(page, `/app/contacts/${data?.[0]?.id}`)
    for (const text of ['ada@home.example', 'London', 'linkedin.com/in/ada']) {
      await expect(page.getByRole('link', { name: text })).toBeVisible()
    }
    await visit(page, path)
    const more = 'Email,Other Email,Home City\nada@work.example,ada@more.example,Paris\n'
    await check(page, { name: 'more.csv', text: more })
    await page.getByLabel('Update from the file').check()
    await tab(page, 'Update (1)').click()
    await expect(rows(page).getByText('Emails: adds ada@more.example (Other)')).toBeVisible()
    await expect(rows(page).getByText('Addresses: adds Paris (Home)')).toBeVisible()
  })
  await longStep(
    'every cell of a row of another program is on the page of the contact',
    async () => {
      const user = await enter(path)
      await check(page, { name: 'zoho.csv', text: zoho })
      await expect(dryRun(page).getByText('Not imported: Record Id, Contact Owner.')).toBeVisible()
      await button(page, 'Import 1 contact').click()
      await expect(summary(page).getByText('1 contact added')).toBeVisible()
      const { data } = await user.client.from('contacts').select('id')
      await page.goto(`/app/contacts/${data?.[0]?.id}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Zoe Ho' })).toBeVisible()
      for (const [header, text] of zohoShown) {
        await expect(page.getByRole('main'), header).toContainText(text)
      }
    },
  )
  await longStep('everybody whom a deal names, and the stage it was won in', async () => {
    const user = await enter(path)
    const header = 'Deal Name,Stage,Status,Close Date,Contact,Contact 2,Contact 2 Email'
    const cells = 'Loom,Offer,Won,2026-05-04,Wim Weave; Wolf Wool,Wanda Web,wanda@weave.example'
    await check(page, { name: 'deals.csv', text: `${header}\n${cells}\n` })
    await expect(rows(page).getByText('Further contacts: Wolf Wool, Wanda Web.')).toBeVisible()
    await button(page, 'Import 1 deal').click()
    await expect(summary(page).getByText(/^1 deal added/)).toBeVisible()
    const { data } = await user.client.from('deals').select('id')
    await page.goto(`/app/deals/${data?.[0]?.id}`)
    await expect(region(page, 'Contacts').getByRole('listitem')).toContainText([
      'Wim Weave',
      'Wolf Wool',
      'Wanda Web',
    ])
    await expect(entry(page, 'Stage: Offer')).toBeVisible()
  })
  await longStep('a sheet of a workbook, and cards of an address book', async () => {
    const user = await enter(path)
    await give(page, join(files, 'excel.xlsx'))
    await expect(page.getByLabel('Sheet', { exact: true })).toHaveValue('0')
    await page.getByLabel('Sheet', { exact: true }).selectOption('Deals 2026')
    await expect(page.getByLabel('Import as')).toHaveValue('deals')
    await page.getByLabel('Sheet', { exact: true }).selectOption('People')
    await expect(page.getByLabel('Type of the new field for Contract end')).toHaveValue('day')
    await button(page, 'Check 2 rows').click()
    await button(page, 'Import 2 contacts').click()
    await expect(summary(page).getByText('2 contacts added')).toBeVisible()
    await button(page, 'Import another file').click()
    await give(page, join(files, 'apple.vcf'))
    await expect(understood(page).getByText(/^2 cards, /)).toBeVisible()
    await test.step('new fields are accessible', () => scan(understood(page)))
    await button(page, 'Check 2 cards').click()
    await button(page, 'Import 2 contacts').click()
    await expect(summary(page).getByText('2 contacts added')).toBeVisible()
    await expect
      .poll(() => stored(user))
      .toMatchObject([
        { first_name: 'Tim' },
        { first_name: 'Xaver' },
        { first_name: 'Xenia' },
        { first_name: 'Zoë' },
      ])
  })
  await step('an import is undone at any time, with the choice for rows edited since', async () => {
    const user = await enter(path)
    await check(page, { name: 'people.csv', text: people })
    await button(page, 'Import 2 contacts').click()
    await expect(summary(page)).toBeVisible()
    await user.client.from('contacts').update({ notes: 'Mine' }).eq('first_name', 'Bob')
    await page.reload()
    const past = page.getByRole('region', { name: 'Past imports' })
    await expect(past.getByText(/2 contacts added, 1 company also created/)).toBeVisible()
    await test.step('past imports are accessible', () => scan(past))
    await button(past, 'Undo the import of people.csv').click()
    const question = page.getByRole('dialog', { name: 'Undo the rest?' })
    await expect(question.getByText(/Bob Babbage \(changed since\)/)).toBeVisible()
    await button(question, 'Undo the rest').click()
    await expect(past.getByText('Undone', { exact: true })).toBeVisible()
    await expect.poll(() => stored(user)).toMatchObject([{ first_name: 'Bob', notes: 'Mine' }])
  })
  await longStep('our own export, imported into another account, gives the same data', async () => {
    const user = await signUp()
    await user.client.from('contacts').insert([
      {
        ...ada,
        role_title: 'Analyst, "first"',
        lead_status: 'Qualified',
        notes: '=SUM(A1)\nline',
      },
      { first_name: '@home', phone_number: '+44 (20) 1', notes: "'quoted" },
      { lead_status: 'Unqualified' },
    ])
    await begin(user, '/app/settings')
    const coming = page.waitForEvent('download')
    await button(page, 'Export Contacts').click()
    const file = await (await coming).path()

    const other = await signUp()
    await begin(other, path)
    await check(page, { name: 'contacts-export.csv', text: await readFile(file) })
    await button(page, 'Import 3 contacts').click()
    await expect(summary(page).getByText('3 contacts added.')).toBeVisible()
    const fields =
      'first_name, last_name, email, phone_number, role_title, lead_status, notes, created_at'
    const read = async ({ client }: User) => {
      const { data } = await client.from('contacts').select(fields).order('lead_status')
      // An export knows milliseconds.
      return data?.map((each) => ({ ...each, created_at: Date.parse(each.created_at) }))
    }
    await expect.poll(() => read(other)).toEqual(await read(user))
    await expect.poll(() => read(other)).toHaveLength(3)
  })
})

test.describe('failures', () => {
  test.use({ expectedErrors: failedRequests })
  test('an import that fails or is left', { tag: '@long' }, async ({ longStep, page, enter }) => {
    await longStep(
      'a refusal is told at its place, and the way on is the same button',
      async () => {
        const user = await enter(path)
        const broken = { message: 'The server’s disk is full.', code: '53100' }
        const refuse = (name: string) =>
          fail(page, rpc(name), 'POST', (route) => route.fulfill({ status: 500, json: broken }))
        await refuse('check_import')
        await give(page, { name: 'people.csv', text: people })
        await button(page, 'Check 4 rows').click()
        await expect(
          page.getByText('The rows could not be checked: The server’s disk is full.'),
        ).toBeVisible()
        await page.unroute(rpc('check_import'))
        await refuse('commit_import')
        await button(page, 'Check 4 rows').click()
        await button(page, 'Import 2 contacts').click()
        await expect(
          page.getByText('Nothing was imported: The server’s disk is full.'),
        ).toBeVisible()
        await expect.poll(() => stored(user)).toEqual([])
        await page.unroute(rpc('commit_import'))
        await button(page, 'Import 2 contacts').click()
        await expect(summary(page).getByText(/^2 contacts added/)).toBeVisible()
      },
    )
    await longStep(
      'who leaves while rows are written is asked nothing, and told the end where they are',
      async () => {
        const user = await enter(path)
        const cancelled: string[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/cancel_import')) cancelled.push(request.url())
        })
        const contacts = page.getByRole('link', { name: 'Contacts', exact: true })
        await check(page, { name: 'people.csv', text: people })
        const release = await hold(page, rpc('commit_import'))
        await button(page, 'Import 2 contacts').click()
        await expect(page.getByText(/^Importing\. Large files may take/)).toBeVisible()
        await contacts.click()
        await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
        expect(cancelled).toEqual([])
        release()
        const told = page
          .getByRole('alert')
          .filter({ hasText: 'Import of people.csv: 2 contacts added' })
        await expect(told).toBeVisible()
        await expect.poll(() => stored(user)).toHaveLength(2)
        await told.getByRole('button', { name: 'Undo' }).click()
        await expectToast(page, 'Undone')
        await expect.poll(() => stored(user)).toEqual([])
      },
    )
    await longStep('who has left is told also that nothing was imported', async () => {
      const user = await enter(path)
      await check(page, { name: 'people.csv', text: people })
      let refuse = () => {}
      const refused = new Promise<void>((resolve) => {
        refuse = resolve
      })
      await fail(page, rpc('commit_import'), 'POST', async (route) => {
        await refused
        await route.fulfill({ status: 500, json: { message: 'The server’s disk is full.' } })
      })
      await button(page, 'Import 2 contacts').click()
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
      refuse()
      await expectToast(page, 'people.csv was not imported: The server’s disk is full.')
      await expect.poll(() => stored(user)).toEqual([])
    })
    await longStep('reloading during the upload leaves nothing half done', async () => {
      const user = await enter(path)
      const release = await hold(page, rpc('add_import_rows'))
      await give(page, { name: 'people.csv', text: people })
      await button(page, 'Check 4 rows').click()
      await expect(page.getByText('Checking 4 rows...')).toBeVisible()
      page.once('dialog', (dialog) => dialog.accept())
      await page.reload()
      release()
      await expect(page.getByText('Choose or drop a CSV, Excel or vCard file')).toBeVisible()
      await expect.poll(() => stored(user)).toEqual([])
      await page.unroute(rpc('add_import_rows'))
      await check(page, { name: 'people.csv', text: people })
      await expect(tab(page, 'New (2)')).toBeVisible()
    })
  })
})

/** Opens the screen with an import that was done before. */
async function openWithPast(page: Page, enter: (path: string) => Promise<User>): Promise<void> {
  const { client } = await enter(path)
  const id = randomUUID()
  const start = { id, kind: 'contacts', file_name: 'people.csv', total: 1 }
  await client.rpc('start_import', start)
  await client.rpc('add_import_rows', { id, rows: [{ place: 2, reported: { first_name: 'Ada' } }] })
  await client.rpc('commit_import', { id })
  await page.goto(path)
  await expect(page.getByText('people.csv')).toBeVisible()
}

test('every enabled control on the import screen does something', async ({ page, enter }) => {
  test.slow()
  await openWithPast(page, enter)
  const pressed = await pressEverything(page, {
    address: path,
    ready: () => expect(page.getByText('people.csv')).toBeVisible(),
  })
  expect(pressed).toEqual(expect.arrayContaining(['Choose a file', 'Paste rows']))
})

test('an import on the phone', { tag: ['@phone', '@long'] }, async ({ page, enter, scan }) => {
  const user = await enter(path)
  await expectNoSidewaysScroll(page)
  await give(page, { name: `${'long-name-'.repeat(12)}.csv`, text: people })
  await expect(understood(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await test.step('what was understood', () => scan())
  await button(page, 'Check 4 rows').click()
  await expect(dryRun(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await tab(page, 'Error (1)').click()
  await expect(rows(page).getByText(/^Enter a valid email/)).toBeVisible()
  await test.step('the dry run', () => scan(dryRun(page)))
  await button(page, 'Import 2 contacts').click()
  await expect(summary(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expect.poll(() => stored(user)).toHaveLength(2)
})
