import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useChangeCurrency, useSetRate } from './queries.ts'

test('a rate', () =>
  expectFailedWrite('Failed to save the rate', () => {
    const setRate = useSetRate()
    return () => setRate({ currency: 'EUR', rate: 1.1 })
  }))

test('another currency', () =>
  expectFailedWrite('Failed to save settings', () => {
    const change = useChangeCurrency()
    return () => change({ currency: 'EUR', keep: true, rate: null })
  }))
