import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import type { MergeRecord } from './kinds.ts'
import { useMerge } from './queries.ts'

// What the writes look at; the rest of a record is nothing to them.
const records = [
  { id: 'a', updated_at: '2026-11-15T00:00:00Z' },
  { id: 'b', updated_at: '2026-11-15T00:00:00Z' },
] as MergeRecord[]

test.each(['contacts', 'companies'] as const)('merge %s', (kind) =>
  expectFailedWrite(`Failed to merge ${kind}`, () => {
    const merge = useMerge(kind)
    return () => merge({ keep: 'a', records, changes: {}, note: null })
  }),
)
