import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownFields } from '#domain/fields/own.ts'
import { useExportVcards } from './use-export-contacts.ts'

const { saveFile, readAllContacts, showToast, showError } = vi.hoisted(() => ({
  saveFile: vi.fn<(file: Blob, name: string) => void>(),
  readAllContacts: vi.fn<(filter: object) => AsyncGenerator<object[]>>(),
  showToast: vi.fn(),
  showError: vi.fn(),
}))
vi.mock('#lib/save-file.ts', () => ({ saveFile }))
vi.mock('./queries.ts', () => ({ readAllContacts }))
vi.mock('#ui/toast.tsx', () => ({ showToast, showError }))
vi.mock('#features/preferences/index.ts', () => ({ useTimeZone: () => 'Asia/Tokyo' }))

vi.mock('#features/own-fields/index.ts', () => ({ useAllOwnFields: () => own }))

const field = { record: 'contacts' as const, options: [], is_hidden: false }
const own = ownFields(
  [
    { ...field, id: 'a', name: 'Seats', kind: 'number', position: 1 },
    { ...field, id: 'b', name: 'Regular', kind: 'yes/no', position: 2 },
  ],
  'contacts',
)

const named = (first_name: string) => ({ first_name, last_name: null })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T20:00:00Z') })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.resetAllMocks()
})

test('one file with the contacts of every page, named after the local day', async () => {
  readAllContacts.mockImplementation(async function* () {
    yield [named('Ada'), named('Zoë')]
    yield [{ ...named('Grace'), custom: { a: 12, b: true } }]
  })
  const { result } = renderHook(useExportVcards)
  await act(() => result.current.exportVcards({ ids: ['a'] }, '4.0'))
  expect(readAllContacts).toHaveBeenCalledExactlyOnceWith({ ids: ['a'] })
  const [file, name] = saveFile.mock.calls[0] ?? []
  expect(name).toBe('contacts-export-2026-11-17.vcf')
  expect(file?.type).toBe('text/vcard;charset=utf-8')
  const text = (await file?.text()) ?? ''
  expect(text).toContain('VERSION:4.0')
  expect(text).toContain('X-SEATS:12\r\nX-REGULAR:Yes\r\n')
  const names = [...text.matchAll(/^FN:(.*)\r$/gm)].map(([, fn]) => fn)
  expect(names).toEqual(['Ada', 'Zoë', 'Grace'])
  expect(showToast).toHaveBeenCalledExactlyOnceWith({
    title: 'Export Complete',
    message: 'Successfully exported 3 contacts',
  })
})

test('no file when a later page fails', async () => {
  readAllContacts.mockImplementation(async function* () {
    yield [named('Ada')]
    throw new Error('The connection is lost.')
  })
  const { result } = renderHook(useExportVcards)
  await act(() => result.current.exportVcards({}, '3.0'))
  expect(saveFile).not.toHaveBeenCalled()
  expect(showError).toHaveBeenCalledExactlyOnceWith(
    'There was an error exporting your contacts',
    'Export Failed',
  )
  expect(result.current.isExporting).toBe(false)
})
