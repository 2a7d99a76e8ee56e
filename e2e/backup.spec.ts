import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { brokenAnswer, fail, loseAnswer, unreachable } from './requests.ts'
import { addRow } from './rows.ts'
import { keepToasts } from './toasts.ts'

const path = '/app/settings/backup'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const panel = (page: Page) => page.getByRole('region', { name: 'Restore' })

type Zip = { name: string; mimeType: string; buffer: Buffer }

function zipOf(bytes: Uint8Array, name = 'backup.zip'): Zip {
  return { name, mimeType: 'application/zip', buffer: Buffer.from(bytes) }
}

async function work(user: User): Promise<string> {
  const company_id = await addRow(user, 'companies', { name: 'Acme' })
  await addRow(user, 'contacts', { first_name: 'Ada', company_id })
  await addRow(user, 'deals', { name: 'Renewal', value: 1200.5, company_id })
  return company_id
}

/** Everything the account has, as the backend tells it, but for the log. */
async function everything(user: User) {
  const tables = ['companies', 'contacts', 'deals', 'pipelines', 'pipeline_stages'] as const
  const rows = tables.map(async (name) => {
    const { data } = await user.client.from(name).select().order('id')
    return data?.map(({ user_id: _, ...row }) => row)
  })
  return Promise.all(rows)
}

async function download(page: Page): Promise<Uint8Array> {
  const saved = page.waitForEvent('download')
  await button(page, 'Download backup').click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^solo-crm-backup-\d{4}-\d\d-\d\d\.zip$/)
  await expect(toast(page, 'Backup saved to your downloads')).toBeVisible()
  return new Uint8Array(await readFile(await file.path()))
}

async function choose(page: Page, file: Zip): Promise<void> {
  const opened = page.waitForEvent('filechooser')
  await button(page, 'Choose a file').click()
  await (await opened).setFiles(file)
}

/** An account that has lost a company since its backup. */
async function loseCompany(
  page: Page,
  user: User,
  begin: (user: User, path: string) => Promise<void>,
) {
  const company = await work(user)
  await begin(user, path)
  const zip = await download(page)
  await user.client.from('companies').delete().eq('id', company)
  return { user, zip, before: await everything(user) }
}

// Some of what is asked for here is answered with an error.
test.use({ expectedErrors: failedRequests })

test('a backup', async ({ step, longStep, page, signUp, begin, scan }) => {
  await step(
    'Full backup: one file, restored after a deletion, the same data; undone as one',
    async () => {
      const user = await signUp()
      const company = await work(user)
      const before = await everything(user)
      await keepToasts(page)
      await begin(user, '/app/settings')
      await page.getByRole('link', { name: 'Back up or restore', exact: true }).click()
      await expect(page).toHaveTitle('Backup · Solo CRM')
      await expect(page.getByText('1 contact, 1 company, 1 deal, 1 pipeline.')).toBeVisible()
      const zip = await download(page)
      const manifest = JSON.parse(strFromU8(unzipSync(zip)['backup.json'] ?? new Uint8Array()))
      expect(manifest).toMatchObject({ version: 2, account: { email: user.email } })

      await user.client.from('companies').delete().eq('id', company)
      await user.client.from('contacts').delete().eq('first_name', 'Ada')
      await choose(page, zipOf(zip, 'mine.zip'))
      await expect(panel(page).getByText('mine.zip')).toBeVisible()
      await test.step('a chosen file is accessible', () => scan())
      await button(page, 'Restore').click()
      await expect(panel(page).getByText('Added: 1 contact, 1 company')).toBeVisible()
      await test.step('what was restored is accessible', () => scan(panel(page)))
      const [companies, contacts] = await everything(user)
      expect([companies, contacts]).toEqual(before.slice(0, 2))

      await toast(page, 'Backup restored').getByRole('button', { name: 'Undo' }).click()
      await expect(toast(page, 'Undone')).toBeVisible()
      expect((await everything(user)).slice(0, 2)).toEqual([[], []])
    },
  )
  await longStep(
    'restored into another account, and a second time: said whose it is, nothing doubled',
    async () => {
      const owner = await signUp()
      await work(owner)
      await begin(owner, path)
      const zip = await download(page)
      const theirs = await everything(owner)

      const other = await signUp()
      await begin(other, path)
      for (const told of ['Added: 1 contact, 1 company, 1 deal', 'Nothing to restore']) {
        await choose(page, zipOf(zip))
        await expect(
          panel(page).getByText(`This backup is from another account, ${owner.email}.`),
        ).toBeVisible()
        await button(page, 'Restore').click()
        await expect(panel(page).getByText(told)).toBeVisible()
      }
      const { data } = await other.client
        .from('contacts')
        .select('first_name, companies!contacts_company_id_fkey(name)')
      expect(data).toEqual([{ first_name: 'Ada', companies: { name: 'Acme' } }])
      await expect.poll(() => everything(owner)).toEqual(theirs)
    },
  )
  await longStep(
    'the connection lost in the middle: said, nothing half done, and tried again',
    async () => {
      const { user, zip, before } = await loseCompany(page, await signUp(), begin)
      await choose(page, zipOf(zip))
      await fail(page, '**/rpc/add_restore_rows', 'POST', (route) => route.abort())
      await button(page, 'Restore').click()
      await expect(panel(page).getByRole('alert')).toContainText(unreachable)
      await expect.poll(() => everything(user)).toEqual(before)
      await page.unroute('**/rpc/add_restore_rows')

      // The database has written it, but the answer is lost.
      await fail(page, '**/rpc/finish_restore', 'POST', loseAnswer)
      const lost = page.waitForEvent('requestfailed', (request) =>
        request.url().endsWith('/rpc/finish_restore'),
      )
      await button(page, 'Try again').click()
      await lost
      await expect(panel(page).getByRole('alert')).toContainText(unreachable)
      await page.unroute('**/rpc/finish_restore')
      await button(page, 'Try again').click()
      await expect(panel(page).getByText('Added: 1 company')).toBeVisible()
      const { data } = await user.client.from('companies').select('name')
      expect(data).toEqual([{ name: 'Acme' }])
    },
  )
  await longStep('who has left while a backup is restored is told that it failed', async () => {
    const { user, zip, before } = await loseCompany(page, await signUp(), begin)
    const steps = [
      ['add_restore_rows', 'Nothing was restored'],
      ['finish_restore', 'The backup may not have been restored'],
    ] as const
    for (const [name, title] of steps) {
      await choose(page, zipOf(zip, 'mine.zip'))
      let lose = () => {}
      const lost = new Promise<void>((resolve) => {
        lose = resolve
      })
      await fail(page, `**/rpc/${name}`, 'POST', async (route) => {
        await lost
        await route.abort()
      })
      const asked = page.waitForRequest(`**/rpc/${name}`)
      await button(page, 'Restore').click()
      await asked
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
      lose()
      await expect(toast(page, `mine.zip: ${unreachable}`).getByText(title)).toBeVisible()
      await page.unroute(`**/rpc/${name}`)
      await visit(page, path)
    }
    await expect.poll(() => everything(user)).toEqual(before)
  })
  await longStep('a backup that cannot be read is told, and nothing is saved', async () => {
    await begin(await signUp(), path)
    const { answer, message } = brokenAnswer
    await fail(page, '**/rpc/backup_page', 'POST', answer)
    await button(page, 'Download backup').click()
    await expect(toast(page, `Failed to back up: ${message}`)).toBeVisible()
    await expect(button(page, 'Download backup')).toBeVisible()
  })
})

test('every control on the backup screen does something', async ({ page, enter }) => {
  await enter(path)
  const names = await pressEverything(page, {
    address: path,
    ready: () => expect(button(page, 'Download backup')).toBeEnabled(),
  })
  expect(names).toEqual(expect.arrayContaining(['Download backup', 'Choose a file']))
})

test('the backup on the phone: nothing sticks out', { tag: ['@phone', '@long'] }, async ({
  page,
  enter,
  scan,
}) => {
  await enter(path)
  await choose(page, zipOf(strToU8('no zip'), `${'long name '.repeat(20)}.zip`))
  await expect(panel(page).getByRole('alert')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await scan()
})
