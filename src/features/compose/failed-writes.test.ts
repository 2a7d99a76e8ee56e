import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useForgetMails, useRetryMails, useStopMails, useStopRun } from './queries.ts'

test('stop a mail', () =>
  expectFailedWrite('Failed to stop the email', () => {
    const { mutateAsync } = useStopMails()
    return () => mutateAsync(['a'])
  }))

test('stop a run', () =>
  expectFailedWrite('Failed to stop the emails', () => {
    const { mutateAsync } = useStopRun()
    return () => mutateAsync('a')
  }))

test('try again', () =>
  expectFailedWrite('Failed to try again', () => {
    const { mutateAsync } = useRetryMails()
    return () => mutateAsync(['a'])
  }))

test('delete', () =>
  expectFailedWrite('Failed to delete the email', () => {
    const { mutateAsync } = useForgetMails()
    return () => mutateAsync(['a'])
  }))
