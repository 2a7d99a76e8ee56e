import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  useCreateToken,
  useDecide,
  useRemoveToken,
  useRevokeAll,
  useRevokeToken,
} from './queries.ts'

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
  expectFailedWrite('Failed to decide', () => {
    const { mutateAsync } = useDecide()
    return () => mutateAsync({ ids: ['a'], approve: true })
  }))
