import { expect, test } from 'vitest'
import { isStuckIn, nextToSend, type Sendable, withDependents } from './waiting-writes.ts'

const [contact, task, deal, note] = [1, 2, 3, 4].map(
  (number) => `00000000-0000-4000-8000-00000000000${number}`,
)

const write = (batch: string, more: Partial<Sendable>): Sendable => ({
  batch,
  action: 'add note',
  args: {},
  state: 'waiting',
  ...more,
})

const added = write('contact', { action: 'add contact', args: { values: { id: contact } } })
const noted = write('note', { args: { values: { id: note, contact_id: contact } } })
const edited = write('edit', { action: 'edit note', args: { id: note, values: { body: 'x' } } })
const moved = write('move', {
  action: 'move deal',
  args: { id: deal, stage_id: task, before_id: contact },
})
const line = write('line', {
  action: 'quick add',
  args: { line: [{ line: { task: { title: 'x', new_id: task } } }] },
})
const completed = write('complete', { action: 'complete task', args: { id: task } })
const refused = { ...added, state: 'refused' as const }

test.each<[string, Sendable[], string | undefined]>([
  ['the oldest goes first', [added, noted], 'contact'],
  ['nothing waits', [], undefined],
  ['what is on its first way is not sent by others', [{ ...added, isDirect: true }], undefined],
  ['a note on a contact that was refused waits with it', [refused, noted], undefined],
  ['and what depends on that note', [refused, noted, edited], undefined],
  ['others go on', [refused, noted, moved], 'move'],
  [
    'of two changes of one record the second waits with the first',
    [
      { ...edited, state: 'conflict' },
      { ...edited, batch: 'second' },
    ],
    undefined,
  ],
  [
    'a task of a line can be completed after it',
    [{ ...line, state: 'refused' }, completed],
    undefined,
  ],
  [
    'what was taken back is told in its turn',
    [{ ...added, state: 'taken back' }, noted],
    'contact',
  ],
])('%s', (_, writes, next) => {
  expect(nextToSend(writes)?.batch).toBe(next)
})

test('a write is taken back with all that depends on it', () => {
  const all = [added, moved, noted, edited, line, completed]
  const taken = (batch: string) => withDependents(all, batch).map((each) => each.batch)
  expect(taken('contact')).toEqual(['contact', 'note', 'edit'])
  expect(taken('note')).toEqual(['note', 'edit'])
  expect(taken('line')).toEqual(['line', 'complete'])
  expect(taken('move')).toEqual(['move'])
  expect(taken('gone')).toEqual([])
})

test('what waits for one that is stuck is stuck with it', () => {
  const all = [refused, noted, moved, edited]
  expect(all.filter((each) => isStuckIn(all, each)).map(({ batch }) => batch)).toEqual([
    'contact',
    'note',
    'edit',
  ])
})
