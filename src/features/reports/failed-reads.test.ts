import { test } from 'vitest'
import { expectFailedRead } from '#lib/expect-failed-read.tsx'
import { useReport } from './queries.ts'

test('the report', () =>
  expectFailedRead('Failed to fetch reports', () => useReport('2026-11-15', {})))
