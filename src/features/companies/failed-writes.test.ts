import { test } from 'vitest'
import { newCompany } from '#domain/fields/record-forms.ts'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  type Company,
  useCreateCompany,
  useDeleteCompanies,
  useDeleteCompany,
  useUpdateCompanies,
  useUpdateCompany,
} from './queries.ts'

const values = { ...newCompany, name: 'Acme', website: null, industry: null, location: null }
// What the writes look at; the rest of a company is nothing to them.
const company = { id: 'c', updated_at: '2026-11-15T00:00:00Z' } as Company

test('create company', () =>
  expectFailedWrite('Failed to create company', () => {
    const create = useCreateCompany()
    return () => create({ id: 'n', values })
  }))

test('update company', () =>
  expectFailedWrite('Failed to update company', () => {
    const update = useUpdateCompany()
    return () => update({ seen: company, values: { name: 'Acme Inc' } })
  }))

test('delete company', () =>
  expectFailedWrite('Failed to delete company', () => {
    const remove = useDeleteCompany()
    return () => remove(company)
  }))

const chosen = { filter: { ids: ['c'] }, count: 1, matches: ({ id }: Company) => id === 'c' }

test('update companies', () =>
  expectFailedWrite('Failed to update companies', () => {
    const update = useUpdateCompanies()
    return () => update({ ...chosen, changes: { industry: 'x' }, shown: { industry: 'x' } })
  }))

test('delete companies', () =>
  expectFailedWrite('Failed to delete companies', () => {
    const remove = useDeleteCompanies()
    return () => remove(chosen)
  }))
