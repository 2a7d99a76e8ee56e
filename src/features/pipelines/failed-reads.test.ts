import { test } from 'vitest'
import { expectFailedRead } from '#lib/expect-failed-read.tsx'
import { usePipelines } from './queries.ts'

test('pipelines', () => expectFailedRead('Failed to fetch pipelines', usePipelines))
