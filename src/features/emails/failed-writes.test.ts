import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useChangeTemplate, useCreateTemplate, useDeleteTemplate, useLogEmails } from './queries.ts'

const template = { id: 'e', name: 'Greeting', subject: 'Hello', body: 'You' }

test('create template', () =>
  expectFailedWrite('Failed to save template', () => {
    const create = useCreateTemplate()
    return () => create(template)
  }))

test('change template', () =>
  expectFailedWrite('Failed to rename template', () => {
    const change = useChangeTemplate({ saved: '', failed: 'Failed to rename template' })
    return () => change(template)
  }))

test('delete template', () =>
  expectFailedWrite('Failed to delete template', () => {
    const remove = useDeleteTemplate()
    return () => remove(template)
  }))

test('log emails', () =>
  expectFailedWrite('Failed to log the email', () => {
    const log = useLogEmails()
    return () => log({ ids: ['c'], subject: 'Hello' })
  }))
