import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { button, composer, entry, region } from './record-page.ts'
import { addRow } from './rows.ts'
import { sampleFiles } from './sample-files.ts'

const { picture, offer, page: disguised } = sampleFiles

const card = (page: Page) => region(page, 'Files')
const lines = (page: Page) =>
  card(page).getByRole('list', { name: 'Files', exact: true }).getByRole('listitem')
const preview = (page: Page, name: string) => page.getByRole('dialog', { name })

async function choose(page: Page, label: string, files: (typeof picture)[]): Promise<void> {
  const opened = page.waitForEvent('filechooser')
  await button(page, label).click()
  await (await opened).setFiles(files)
}

async function act(page: Page, name: string, action: string): Promise<void> {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('files of a record, from the first to the backup', { tag: '@phone-long' }, async ({
  step,
  longStep,
  page,
  enter,
  begin,
  signUp,
  scan,
  isMobile,
}) => {
  let user: User
  let id = ''

  await step('chosen files are sent, listed and told on the timeline', async () => {
    user = await enter('/app/dashboard')
    id = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Lovelace' })
    await visit(page, `/app/contacts/${id}`)
    await expect(card(page)).toContainText('No files yet')
    await choose(page, 'Add files', [picture, offer, disguised])
    await expect(lines(page)).toHaveCount(3)
    await expect(lines(page).nth(0)).toContainText('harmless.png')
    await expect(card(page).getByRole('heading')).toHaveText('Files3')
    await expect(button(page, 'Take photo')).toBeVisible({ visible: isMobile })
    await expectNoSidewaysScroll(page)
    await scan(card(page), { contrast: true })
  })

  await step(
    'a picture and a PDF are shown, what only says that it is a picture is not',
    async () => {
      await button(lines(page).nth(0), 'harmless.png').click()
      await expect(preview(page, 'harmless.png')).toContainText(
        'There’s no preview for this kind of file',
      )
      await page.keyboard.press('ArrowRight')
      const sheet = preview(page, 'Offer 2026.pdf').getByRole('img', { name: 'Page 1 of 1' })
      await expect(sheet).toBeVisible()
      // Something was drawn on the white page.
      await expect
        .poll(() =>
          sheet.evaluate((canvas: HTMLCanvasElement) => {
            const drawn = canvas
              .getContext('2d')
              ?.getImageData(0, 0, canvas.width || 1, canvas.height || 1)
            return drawn?.data.some(
              (value, at) => at % 4 === 0 && value < 100 && (drawn.data[at + 3] ?? 0) > 0,
            )
          }),
        )
        .toBe(true)
      await scan(preview(page, 'Offer 2026.pdf'))
      await page.keyboard.press('ArrowRight')
      const shown = preview(page, 'Site photo.png').getByRole('img', { name: 'Site photo.png' })
      await expect
        .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(1)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(new URL(page.url()).search).toBe('')
      await expect(page).not.toHaveTitle('taken')
    },
  )

  await longStep('one is downloaded, renamed, deleted and brought back', async () => {
    const saved = page.waitForEvent('download')
    await act(page, 'harmless.png', 'Download')
    const file = await saved
    expect(file.suggestedFilename()).toBe('harmless.png')
    expect(await readFile(await file.path())).toEqual(disguised.buffer)

    await act(page, 'Offer 2026.pdf', 'Rename')
    const form = page.getByRole('dialog', { name: 'Rename file' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Angebot/Zürich.pdf')
    await button(form, 'Rename').click()
    await expect(form).toHaveCount(0)
    await expect(lines(page).nth(1)).toContainText('Zürich.pdf')

    await act(page, 'harmless.png', 'Delete')
    await expect(lines(page)).toHaveCount(2)
    await button(page, 'Undo').click()
    await expect(lines(page)).toHaveCount(3)
  })

  await longStep('dropped and pasted files are added to the record', async () => {
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], 'dropped.txt'))
      return transfer
    })
    await page.dispatchEvent('main', 'dragover', { dataTransfer: data })
    await expect(page.getByText('Drop files to add them to Ada Lovelace')).toBeVisible()
    await page.dispatchEvent('main', 'drop', { dataTransfer: data })
    await expect(lines(page).nth(0)).toContainText('dropped.txt')
    await page.evaluate(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['pasted'], 'pasted.txt'))
      window.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: transfer, cancelable: true }),
      )
    })
    await expect(lines(page).nth(0)).toContainText('pasted.txt')
  })

  await longStep('a note takes its files along, and shows them', async () => {
    const form = composer(page)
    await form.getByRole('textbox', { name: 'Write a note' }).fill('The contract is signed')
    await choose(page, 'Attach files', [{ ...offer, name: 'Contract.pdf' }])
    await expect(form).toContainText('Contract.pdf')
    await button(form, 'Add note').click()
    const note = entry(page, 'The contract is signed')
    await button(note, /Contract\.pdf/).click()
    await expect(preview(page, 'Contract.pdf')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).not.toContainText('Contract.pdf')
  })

  await longStep(
    'the search opens a file by its name, and the settings tell the space',
    async () => {
      await visit(page, '/app/dashboard')
      await button(page, 'Search').first().click()
      await page.getByRole('combobox', { name: 'Search' }).fill('contract.pdf')
      await page.getByRole('option', { name: /Contract\.pdf.*File$/ }).click()
      await expect(preview(page, 'Contract.pdf')).toBeVisible()
      await page.keyboard.press('Escape')
      await visit(page, '/app/settings')
      await expect(page.getByText(/kB of 2 GB used, including files in the trash/)).toBeVisible()
    },
  )

  if (isMobile) return
  await longStep('a backup brings them to another account', async () => {
    await visit(page, '/app/settings/backup')
    const saved = page.waitForEvent('download')
    await button(page, 'Download backup').click()
    const zip = await readFile(await (await saved).path())
    const held = unzipSync(zip)
    expect(JSON.parse(strFromU8(held['backup.json'] ?? new Uint8Array()))).toMatchObject({
      version: 3,
      files: { count: 5 },
    })
    expect(Object.keys(held).filter((name) => name.endsWith('/Site photo.png'))).toHaveLength(1)
    const other = await signUp()
    await begin(other, '/app/settings/backup')
    const opened = page.waitForEvent('filechooser')
    await button(page, 'Choose a file').click()
    await (await opened).setFiles({ name: 'b.zip', mimeType: 'application/zip', buffer: zip })
    await button(page, 'Restore').click()
    await expect(region(page, 'Restore')).toContainText('Restored')
    const { data } = await other.client.from('contacts').select('id').single()
    await visit(page, `/app/contacts/${data?.id}`)
    await expect(card(page).getByRole('heading')).toHaveText('Files6')
    await button(card(page), 'Show all 6').click()
    await button(page, 'Site photo.png').click()
    await expect(
      preview(page, 'Site photo.png').getByRole('img', { name: 'Site photo.png' }),
    ).toBeVisible()
  })
})
