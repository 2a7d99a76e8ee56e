import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useCreateCards, useRevokeCards } from './cards/queries.ts'
import {
  type LeadForm,
  useAcceptSubmission,
  useChangeForm,
  useCreateForm,
  useDeleteForm,
  useDeleteSubmissions,
  useSeeLeads,
} from './queries.ts'

const form = { id: 'f', slug: 's', name: 'Contact us', fields: [] } as unknown as LeadForm

test('create form', () =>
  expectFailedWrite('Failed to create form', () => {
    const create = useCreateForm()
    return () => create(form)
  }))

test('save form', () =>
  expectFailedWrite('Failed to save form', () => {
    const change = useChangeForm()
    return () => change(form)
  }))

test('delete form', () =>
  expectFailedWrite('Failed to delete form', () => {
    const remove = useDeleteForm()
    return () => remove(form)
  }))

test('accept what waits', () =>
  expectFailedWrite('Failed to accept', () => {
    const { mutateAsync } = useAcceptSubmission()
    return () => mutateAsync('a')
  }))

test('delete what waits', () =>
  expectFailedWrite('Failed to delete', () => {
    const { mutateAsync } = useDeleteSubmissions()
    return () => mutateAsync(['a'])
  }))

test('new leads seen', () =>
  expectFailedWrite('Failed to save', () => {
    const { mutateAsync } = useSeeLeads()
    return () => mutateAsync(['a'])
  }))

test('create the address of the cards', () =>
  expectFailedWrite('Failed to create the address', () => {
    const { mutateAsync } = useCreateCards()
    return () => mutateAsync(null)
  }))

test('revoke the address of the cards', () =>
  expectFailedWrite('Failed to revoke the address', () => {
    const { mutateAsync } = useRevokeCards()
    return () => mutateAsync()
  }))
