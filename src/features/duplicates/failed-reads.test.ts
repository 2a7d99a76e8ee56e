import { test } from 'vitest'
import { expectFailedRead } from '#lib/expect-failed-read.tsx'
import { useList } from '#lib/use-list.ts'
import { duplicateLists, groupView } from './queries.ts'

test('duplicates', () =>
  expectFailedRead('Failed to look for duplicates', () =>
    useList(duplicateLists.contacts, groupView),
  ))
