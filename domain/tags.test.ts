import { expect, test } from 'vitest'
import { changeWords } from './change-words.ts'
import { csvRow, readCell } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import { contactFields } from './fields/contacts.ts'
import { formTexts, inputsOf } from './fields/form.ts'
import { shownValue } from './fields/kinds.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'
import { knownSpelling, tagHue, tagsAfter, tagsIn, tagsOf, updatedWords } from './tags.ts'

const field = contactFields.tags

test('what became of many records', () => {
  expect(
    [{ add_tags: ['VIP'] }, { remove_tags: ['VIP'] }, {}].map((changes) =>
      updatedWords('20 contacts', changes),
    ),
  ).toEqual([
    'Tagged 20 contacts',
    'Removed tags from 20 contacts',
    '20 contacts updated successfully',
  ])
})

test('tags are trimmed, each once without regard to case, in their order', () => {
  expect(tagsIn(' VIP ; press\t list|vip,, Ünï\nÜNÏ')).toEqual(['VIP', 'press list', 'Ünï'])
  expect(tagsOf(['b', 'A', 'a'])).toEqual(['b', 'A'])
})

test('a form takes tags or a text of them, as many and as long as the database does', () => {
  const check = (input: unknown) => checkOf(field).safeParse(input)
  expect(check(['a, b', 'A']).data).toEqual(['a', 'b'])
  expect(check('a; b').data).toEqual(['a', 'b'])
  expect(check('').data).toEqual([])
  expect(check(['x'.repeat(60)]).success).toBe(true)
  expect(check(['x'.repeat(61)]).error?.issues[0]?.message).toBe(
    'A tag can have at most 60 characters.',
  )
  const many = Array.from({ length: 51 }, (_, place) => `t${place}`)
  expect(check(many.slice(1)).success).toBe(true)
  expect(check(many).error?.issues[0]?.message).toBe('There can be at most 50 tags.')
})

test('they are shown and compared as a text', () => {
  expect(shownValue(field, ['VIP', 'Press'])).toBe('VIP, Press')
  const inputs = inputsOf({ tags: field }, { tags: ['VIP', 'Press'] })
  expect(inputs).toEqual({ tags: ['VIP', 'Press'] })
  expect(formTexts({ tags: field }, inputs)).toEqual({ tags: 'VIP, Press' })
})

test.each([
  ['VIP; Key account', ['VIP', 'Key account']],
  ['"VIP","Press, list"', ['VIP', 'Press', 'list']],
  ['* myContacts ::: Friends ::: * starred', ['Friends', 'starred']],
])('a cell %s is read', (text, tags) => {
  expect(readCell(field, text, { dayOrder: 'month first', isOwn: false, timeZone: 'UTC' })).toEqual(
    { value: tags },
  )
})

test('several columns of a file count together, and our own file brings them back', () => {
  const plan = planImport('contacts', ['first_name', 'tags', 'tags'], [])
  const read = (row: string[]) => importRow(row, plan)
  expect(read(['Ada', 'VIP', 'press, vip'])).toEqual({
    values: { first_name: 'Ada', tags: ['VIP', 'press'] },
  })
  expect(read(['Ada', '', ''])).toEqual({ values: { first_name: 'Ada' } })
  expect(read(['Ada', 'x'.repeat(61), ''])).toEqual({
    values: expect.objectContaining({ notes: `Tags: ${'x'.repeat(61)}` }),
  })
  const [cell = ''] = csvRow(contactFields, ['tags'], { tags: ['Key account', 'VIP'] })
  expect(cell).toBe('Key account; VIP')
  expect(read(['Ada', cell, ''])).toMatchObject({ values: { tags: ['Key account', 'VIP'] } })
})

test.each([
  [['a'], ['a', 'b', 'C'], ['Tags b, C added']],
  [['a', 'b'], ['B'], ['Tag a removed']],
  [['a'], ['b'], ['Tag b added', 'Tag a removed']],
  [['a'], ['A'], ['Tags changed']],
])('the history tells what became of %j', (before, after, words) => {
  const change = {
    table_name: 'contacts',
    row_id: 'x',
    verb: 'update' as const,
    label: 'Ada',
    before: { tags: before },
    after: { tags: after },
    undoes: null,
    names: null,
  }
  const page = { table: 'contacts', id: 'x' }
  expect(changeWords(change, { timeZone: 'UTC', page })).toEqual(words)
})

test('a tag has one hue, however it is written, and many tags have many', () => {
  expect(tagHue('VIP')).toBe(tagHue('vip'))
  const hues = new Set(Array.from({ length: 60 }, (_, place) => tagHue(`Tag ${place}`)))
  expect(hues.size).toBe(10)
})

test('what is done to the tags of many records, and the spelling that there is', () => {
  expect(tagsAfter(['a'], { add_tags: ['A', 'b'] })).toEqual(['a', 'b'])
  expect(tagsAfter(['a', 'B'], { remove_tags: ['b', 'c'] })).toEqual(['a'])
  expect(knownSpelling('vip', ['VIP'])).toBe('VIP')
  expect(knownSpelling('new', ['VIP'])).toBe('new')
})
