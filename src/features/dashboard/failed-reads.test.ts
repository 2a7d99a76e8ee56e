import { test } from 'vitest'
import { expectFailedRead } from '#lib/expect-failed-read.tsx'
import { useFigures } from './queries.ts'

test('the dashboard', () => expectFailedRead('Failed to fetch dashboard', useFigures))
