import { test } from 'vitest'
import { expectFailedRead } from '#lib/expect-failed-read.tsx'
import { useSavedViews } from './queries.ts'

test('views', () => expectFailedRead('Failed to fetch views', () => useSavedViews('contacts')))
