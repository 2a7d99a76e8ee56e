import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  useCreateToken,
  useDecide,
  useRemoveToken,
  useRevokeAll,
  useRevokeToken,
} from './queries.ts'
import * as webhooks from './webhooks/queries.ts'

test('create token', () =>
  expectFailedWrite('Failed to create token', () => {
    const { mutateAsync } = useCreateToken()
    return () => mutateAsync({ name: 'Claude', scope: 'read', ends: null })
  }))

test('revoke token', () =>
  expectFailedWrite('Failed to revoke token', () => {
    const { mutateAsync } = useRevokeToken()
    return () => mutateAsync('a')
  }))

test('revoke all tokens', () =>
  expectFailedWrite('Failed to revoke tokens', () => {
    const { mutateAsync } = useRevokeAll()
    return () => mutateAsync()
  }))

test('remove token', () =>
  expectFailedWrite('Failed to remove token', () => {
    const { mutateAsync } = useRemoveToken()
    return () => mutateAsync('a')
  }))

test('decide on proposals', () =>
  expectFailedWrite('Failed to save your decision', () => {
    const { mutateAsync } = useDecide()
    return () => mutateAsync({ ids: ['a'], approve: true })
  }))

test('add webhook', () =>
  expectFailedWrite('Failed to create webhook', () => {
    const { mutateAsync } = webhooks.useCreateWebhook()
    return () => mutateAsync({ url: 'https://example.com/', events: ['won'] })
  }))

test('save webhook', () =>
  expectFailedWrite('Failed to save webhook', () => {
    const { mutateAsync } = webhooks.useChangeWebhook()
    return () => mutateAsync({ id: 'a', url: 'https://example.com/', events: ['won'] })
  }))

test('pause webhook', () =>
  expectFailedWrite('Failed to change webhook', () => {
    const { mutateAsync } = webhooks.usePauseWebhook()
    return () => mutateAsync({ id: 'a', pause: true })
  }))

test.each([
  ['Failed to delete webhook', webhooks.useDeleteWebhook],
  ['Failed to renew secret', webhooks.useRenewSecret],
  ['Failed to send test', webhooks.useTestWebhook],
  ['Failed to send again', webhooks.useSendAgain],
])('%s', (words, useWrite) =>
  expectFailedWrite(words, () => {
    const { mutateAsync } = useWrite()
    return async () => mutateAsync('a')
  }),
)
