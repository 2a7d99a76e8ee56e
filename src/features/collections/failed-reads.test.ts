import { test } from 'vitest'
import { expectFailedRead } from '#lib/expect-failed-read.tsx'
import { useCollections } from './queries.ts'

test('collections', () => expectFailedRead('Failed to fetch collections', useCollections))
