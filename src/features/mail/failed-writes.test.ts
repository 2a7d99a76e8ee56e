import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useMakePrivate, useSetThreadDeal } from './conversation/queries.ts'
import {
  useAddExclusion,
  useDeclineSuggestion,
  usePauseAccount,
  useRemoveAccount,
  useRemoveExclusion,
  useSaveAccount,
  useSaveSending,
  useTakeSuggestion,
  useTestAccount,
} from './queries.ts'

const asked = { account: { address: 'me@example.com' }, password: 'secret' }

test('test an account', () =>
  expectFailedWrite('Failed to test mailbox', () => {
    const { mutateAsync } = useTestAccount()
    return () => mutateAsync(asked)
  }))

test('save an account', () =>
  expectFailedWrite('Failed to save mailbox', () => {
    const { mutateAsync } = useSaveAccount()
    return () => mutateAsync(asked)
  }))

test('remove an account', () =>
  expectFailedWrite('Failed to remove mailbox', () => {
    const { mutateAsync } = useRemoveAccount()
    return () => mutateAsync({ id: 'a', with_mails: false })
  }))

test('pause an account', () =>
  expectFailedWrite('Failed to change mailbox', () => {
    const { mutateAsync } = usePauseAccount()
    return () => mutateAsync({ id: 'a', is_paused: true })
  }))

test('save a signature', () =>
  expectFailedWrite('Failed to save signature', () => {
    const { mutateAsync } = useSaveSending()
    return () => mutateAsync({ id: 'a', signature: null, pace: null })
  }))

test('leave an address out', () =>
  expectFailedWrite('Failed to add it to the list', () => {
    const { mutateAsync } = useAddExclusion()
    return () => mutateAsync('news@example.com')
  }))

test('take an address off the list', () =>
  expectFailedWrite('Failed to remove it from the list', () => {
    const { mutateAsync } = useRemoveExclusion()
    return () => mutateAsync('a')
  }))

test('make a contact of somebody', () =>
  expectFailedWrite('Failed to create contact', () => {
    const { mutateAsync } = useTakeSuggestion()
    return () => mutateAsync({ address: 'ada@example.com', name: 'Ada' })
  }))

test('take somebody off the list', () =>
  expectFailedWrite('Failed to remove it from the list', () => {
    const { mutateAsync } = useDeclineSuggestion()
    return () => mutateAsync('ada@example.com')
  }))

test('make mails private', () =>
  expectFailedWrite('Failed to make it private', () => {
    const { mutateAsync } = useMakePrivate()
    return () => mutateAsync(['a'])
  }))

test('set the deal of a conversation', () =>
  expectFailedWrite('Failed to save conversation', () => {
    const { mutateAsync } = useSetThreadDeal()
    return () => mutateAsync({ thread: 'a', deal: null })
  }))
