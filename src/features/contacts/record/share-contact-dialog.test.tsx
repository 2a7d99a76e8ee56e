import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Fields } from '#domain/fields/field.ts'
import { definition } from '#domain/fields/own.ts'
import type { CardContact } from '#domain/vcard.ts'
import { cardCode } from './card-code.ts'
import { ShareContactDialog } from './share-contact-dialog.tsx'

const saveFile = vi.hoisted(() => vi.fn<(file: Blob, name: string) => void>())
vi.mock('#lib/save-file.ts', () => ({ saveFile }))

const ada: CardContact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  nickname: null,
  birthday: null,
  email: 'ada@example.com',
  phone_number: null,
  role_title: null,
  company_name: null,
  notes: null,
}

afterEach(() => {
  cleanup()
  saveFile.mockReset()
})

function show(contact: CardContact, own: Fields = {}) {
  const onClose = vi.fn()
  render(
    <MantineProvider env="test">
      <ShareContactDialog contact={contact} own={own} onClose={onClose} />
    </MantineProvider>,
  )
  return onClose
}

async function downloaded(): Promise<{ name: string; text: string }> {
  fireEvent.click(screen.getByRole('button', { name: 'Download vCard' }))
  const [file, name] = saveFile.mock.calls.at(-1) ?? []
  return { name: name ?? '', text: (await file?.text()) ?? '' }
}

const code = () => screen.queryByRole('img', { name: 'QR code of the vCard of Ada Lovelace' })
const words = () => screen.getByRole('status').textContent

test('the code, black on white, and the file', async () => {
  show(ada)
  expect(screen.getByRole('dialog', { name: 'Share Ada Lovelace' })).toBeTruthy()
  expect(code()?.querySelector('rect')?.getAttribute('fill')).toBe('#fff')
  expect(code()?.querySelector('path')?.getAttribute('fill')).toBe('#000')
  expect(words()).toBe('Scan with a phone’s camera to save the contact.')
  expect(screen.queryByRole('checkbox')).toBeNull()
  const { name, text } = await downloaded()
  expect(name).toBe('Ada Lovelace.vcf')
  expect(text).toContain('\r\nEMAIL;TYPE=INTERNET:ada@example.com\r\n')
})

test('Escape closes', () => {
  const onClose = show(ada)
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

test('notes can be left out of both', async () => {
  show({ ...ada, notes: 'Pays late' })
  const before = code()?.innerHTML
  expect((await downloaded()).text).toContain('NOTE:Pays late')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Include notes' }))
  expect(code()?.innerHTML).not.toBe(before)
  expect((await downloaded()).text).not.toContain('Pays late')
})

test('notes that are too long for the code are left out of it, not of the file', async () => {
  show({ ...ada, notes: 'long '.repeat(300) })
  expect(code()).toBeTruthy()
  expect(words()).toContain('The notes don’t fit')
  expect((await downloaded()).text).toContain('NOTE:long long')
})

const end = { id: 'end', record: 'contacts', name: 'Contract end', kind: 'text' } as const
const own = {
  'custom.end': definition({ ...end, options: [], position: 0, is_hidden: false }),
}

test('custom fields are in neither, and can be added to both', async () => {
  show({ ...ada, ...{ custom: { end: 'Never' } } }, own)
  const before = code()?.innerHTML
  expect((await downloaded()).text).not.toContain('Never')
  includeOwn()
  expect(code()?.innerHTML).not.toBe(before)
  expect((await downloaded()).text).toContain('X-CONTRACT-END:Never')
})

const includeOwn = () =>
  fireEvent.click(screen.getByRole('checkbox', { name: 'Include custom fields' }))

test('what is too long for the code is left out of it, the notes first', () => {
  const custom = { end: 'long '.repeat(60) }
  show({ ...ada, notes: 'long '.repeat(60), ...{ custom } }, own)
  includeOwn()
  expect(words()).toContain('The notes don’t fit')
  cleanup()
  show({ ...ada, notes: 'x', ...{ custom: { end: 'long '.repeat(300) } } }, own)
  includeOwn()
  expect(code()).toBeTruthy()
  expect(words()).toContain('The notes and custom fields don’t fit')
})

test('a contact that is too long without its notes too is offered as a file alone', async () => {
  show({ ...ada, role_title: 'long '.repeat(300), notes: 'x' })
  expect(code()).toBeNull()
  expect(words()).toBe('This contact doesn’t fit in a QR code. Download the vCard instead.')
  expect((await downloaded()).text).toContain('TITLE:long long')
})

test('no code has more than 77 modules on a side, whatever the length', () => {
  const sizes = Array.from({ length: 60 }, (_, index) =>
    cardCode({ ...ada, notes: null, role_title: 'é'.repeat(10 * index) }),
  ).map((made) => made?.size)
  expect(Math.max(...sizes.map((size) => size ?? 0))).toBe(77)
  expect(sizes.at(-1)).toBeUndefined()
})
