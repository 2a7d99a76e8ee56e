import { expect, test } from 'vitest'
import type { LoggedChange } from './log.ts'
import { emailTitle, originWord, runsOf, standsOut } from './timeline.ts'

const change = (of: Partial<LoggedChange>): LoggedChange => ({
  table_name: 'contacts',
  row_id: 'a',
  verb: 'update',
  label: 'Ada',
  before: null,
  after: null,
  undoes: null,
  names: null,
  ...of,
})

test.each([
  ['a field of a contact', {}, false],
  ['a new contact', { verb: 'insert' }, false],
  ['a new deal', { table_name: 'deals', verb: 'insert' }, true],
  ['a deal that moved', { table_name: 'deals', after: { stage_id: 'b' } }, true],
  ['a deal that left its stage', { table_name: 'deals', after: { stage_id: null } }, true],
  ['another value of a deal', { table_name: 'deals', after: { value: 7 } }, false],
  ['a deleted deal', { table_name: 'deals', verb: 'delete' }, false],
  ['a completed task', { table_name: 'tasks', after: { completed: true } }, true],
  ['a reopened task', { table_name: 'tasks', after: { completed: false } }, false],
  ['a new task', { table_name: 'tasks', verb: 'insert' }, false],
] satisfies [string, Partial<LoggedChange>, boolean][])('%s', (_what, of, is) => {
  expect(standsOut(change(of))).toBe(is)
})

test.each([
  ['', ''],
  ['a', 'a'],
  ['aa', 'a a'],
  ['aaa', '[aaa]'],
  ['XaaaX', 'X [aaa] X'],
  ['aaXaaaaXaaa', 'a a X [aaaa] X [aaa]'],
  ['XX', 'X X'],
])('small letters fold: %s', (entries, runs) => {
  const told = runsOf([...entries], (entry) => entry === 'a').map((run) =>
    'entry' in run ? run.entry : `[${run.folded.join('')}]`,
  )
  expect(told.join(' ')).toBe(runs)
})

test('an email is a draft that was opened, also where an earlier version logged it', () => {
  expect(emailTitle(null)).toBe('Email draft opened')
  expect(emailTitle('E-mail opened')).toBe('Email draft opened')
  expect(emailTitle('Sent by another program')).toBe('Sent by another program')
})

test('a call is with somebody, and on a deal', () => {
  expect(originWord('contact', 'call')).toBe('with')
  expect(originWord('contact', 'email')).toBe('for')
  expect(originWord('contact', 'note')).toBe('on')
  expect(originWord('deal', 'call')).toBe('on')
})
