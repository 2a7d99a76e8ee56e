import { expect, test } from 'vitest'
import { foldedColumns } from './board-folds.ts'

const open = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `s${index}`, outcome: 'open' as const }))
const won = { key: 'won', outcome: 'won' } as const
const lost = { key: 'lost', outcome: 'lost' } as const

test.each([
  ['all fit', [...open(4), won], 1160, []],
  ['six fit at 1440 px', [...open(4), won, lost], 1160, []],
  ['the seventh folds the closed ones', [...open(5), won, lost], 1160, ['lost', 'won']],
  ['lost deals fold first', [...open(4), won, lost], 1130, ['lost']],
  ['open stages never fold by themselves', open(12), 1160, []],
])('%s', (_, columns, width, folded) => {
  expect([...foldedColumns(columns, {}, width)]).toEqual(folded)
})

test('a choice of the user wins over the width', () => {
  const columns = [...open(5), won, lost]
  expect([...foldedColumns(columns, { won: false }, 1160)]).toEqual(['lost'])
  expect([...foldedColumns(columns, { s0: true, s1: true }, 1160)]).toEqual(['s0', 's1'])
  expect([...foldedColumns(columns, { s1: true }, 2000)]).toEqual(['s1'])
})
