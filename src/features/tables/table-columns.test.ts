import { expect, test } from 'vitest'
import { dealFields } from '#domain/fields/deals.ts'
import { ownFields } from '#domain/fields/own.ts'
import { tableColumns } from './table-columns.ts'

test('the column of a field of the user’s own is sorted by its head', () => {
  const size = { id: 'size', record: 'deals', name: 'Size', kind: 'number' } as const
  const own = ownFields([{ ...size, options: [], position: 1, is_hidden: false }], 'deals')
  const columns = tableColumns(
    {
      record: { key: 'deal', header: 'Deal', width: 100, cell: () => null },
      ...{ fields: dealFields, sorts: ['value'], edited: [], nameOf: () => '' },
    },
    {
      ...{ shown: ['field:size'], own, timeZone: 'UTC' },
      ...{ linkTo: () => '', onEditCell: () => {}, onEdit: () => {} },
    },
  )
  expect(columns.map(({ header, sort }) => [header, sort])).toEqual([
    ['Deal', 'name'],
    ['Size', 'field:size'],
  ])
})
