import { expect, test } from 'vitest'
import { firstDigit, nextCard, nextPlace, placeWords } from './board-place.ts'

const others = [4, 0, 2]

test.each([
  ['up', { column: 0, index: 2 }, 'ArrowUp', { column: 0, index: 1 }],
  ['down', { column: 0, index: 2 }, 'ArrowDown', { column: 0, index: 3 }],
  ['down behind the last one', { column: 0, index: 3 }, 'ArrowDown', { column: 0, index: 4 }],
  ['home', { column: 0, index: 3 }, 'Home', { column: 0, index: 0 }],
  ['end', { column: 0, index: 1 }, 'End', { column: 0, index: 4 }],
  ['right, into an empty column', { column: 0, index: 3 }, 'ArrowRight', { column: 1, index: 0 }],
  [
    'left, behind all that are there',
    { column: 2, index: 2 },
    'ArrowLeft',
    { column: 1, index: 0 },
  ],
  ['into the third column by its number', { column: 0, index: 3 }, '3', { column: 2, index: 2 }],
  ['left, at the same height', { column: 1, index: 0 }, 'ArrowLeft', { column: 0, index: 0 }],
])('an arrow takes the card %s', (_, from, key, to) => {
  expect(nextPlace(from, key, others)).toEqual(to)
})

test.each([
  ['up from the top', { column: 0, index: 0 }, 'ArrowUp'],
  ['down from the end', { column: 0, index: 4 }, 'ArrowDown'],
  ['left from the first column', { column: 0, index: 1 }, 'ArrowLeft'],
  ['right from the last column', { column: 2, index: 1 }, 'ArrowRight'],
  ['home at the top', { column: 0, index: 0 }, 'Home'],
  ['end at the end', { column: 2, index: 2 }, 'End'],
  ['to its own column', { column: 2, index: 1 }, '3'],
  ['to a column that is not there', { column: 0, index: 1 }, '4'],
  ['another key', { column: 0, index: 1 }, 'a'],
])('nothing moves %s', (_, from, key) => {
  expect(nextPlace(from, key, others)).toBeNull()
})

test('a stage keeps its digit where No Stage stands before it, which is 0', () => {
  const stage = { stage_id: 'lead' }
  expect([firstDigit([stage]), firstDigit([{ stage_id: null }, stage]), firstDigit([])]).toEqual([
    1, 0, 1,
  ])
  expect(nextPlace({ column: 0, index: 1 }, '2', others, 0)).toEqual({ column: 2, index: 1 })
  expect(nextPlace({ column: 2, index: 0 }, '0', others, 0)).toEqual({ column: 0, index: 0 })
  expect(nextPlace({ column: 2, index: 0 }, '0', others)).toBeNull()
})

test('a place is read out with the column and the number', () => {
  expect(placeWords('Lead', 1, 5)).toBe('Lead, 2 of 5.')
  // What was counted may be older than what is shown.
  expect(placeWords('Lead', 5, 5)).toBe('Lead, 6 of 6.')
})

test.each([
  ['down', { column: 0, index: 2 }, 'ArrowDown', { column: 0, index: 3 }],
  ['not below the last one', { column: 0, index: 3 }, 'ArrowDown', null],
  ['to the last one', { column: 0, index: 1 }, 'End', { column: 0, index: 3 }],
  ['over an empty column', { column: 0, index: 3 }, 'ArrowRight', { column: 2, index: 1 }],
  ['back', { column: 2, index: 1 }, 'ArrowLeft', { column: 0, index: 1 }],
  ['not beyond the edge', { column: 2, index: 1 }, 'ArrowRight', null],
])('the focus goes %s', (_, from, key, to) => {
  expect(nextCard(from, key, others)).toEqual(to)
})
