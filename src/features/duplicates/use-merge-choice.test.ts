import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type OwnField, ownFields } from '#domain/fields/own.ts'
import type { MergeRecord } from './kinds.ts'
import { useMergeChoice } from './use-merge-choice.ts'

const rows = [false, true].map((is_hidden, position): OwnField => {
  const name = is_hidden ? 'Hidden' : 'Shown'
  return { id: name, record: 'companies', name, kind: 'text', options: [], position, is_hidden }
})
vi.mock('#features/own-fields/index.ts', () => ({
  useAllOwnFields: () => ownFields(rows, 'companies', 'all'),
  useOwnFields: () => ({ own: ownFields(rows, 'companies') }),
}))

const company = (id: string, name: string): MergeRecord => ({
  id,
  name,
  industry: null,
  website: null,
  location: null,
  custom: { Shown: `Shown of ${id}`, Hidden: `Hidden of ${id}` },
  created_at: `2026-11-0${id}T10:00:00Z`,
  updated_at: `2026-11-0${id}T10:00:00Z`,
  linked: { contacts: 0, deals: 0, tasks: 0, notes: 0 },
})

test('what a hidden field of the other record holds is kept in the notes, too', () => {
  const records = [company('1', 'Acme'), company('2', 'Acme')]
  const { result } = renderHook(() => useMergeChoice('companies', records))
  const { note } = result.current.merged()
  expect(note).toContain('Shown of')
  expect(note).toContain('Hidden of')
})
