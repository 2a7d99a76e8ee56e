import { expect, test } from 'vitest'
import { moveQuestion, stagesSchema } from './pipeline.ts'

const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const other = '1b4e28ba-2fa1-41d2-883f-0016d3cca428'
const problems = (stages: object[]) =>
  stagesSchema([])
    .safeParse({ stages, moves: {} })
    .error?.issues.map(({ path, message }) => [path.join('.'), message])

test('names are trimmed and probabilities read from what was typed', () => {
  const typed = { stages: [{ id, name: ' Demo ', win_probability: '40' }], moves: {} }
  expect(stagesSchema([]).parse(typed)).toEqual({
    stages: [{ id, name: 'Demo', win_probability: 40 }],
    moves: {},
  })
})

test.each([
  ['', 'Win probability must be a number.'],
  ['abc', 'Win probability must be a number.'],
  ['12.5', 'Win probability must be a whole number.'],
  ['-1', 'Win probability must be between 0 and 100.'],
  ['101', 'Win probability must be between 0 and 100.'],
])('a win probability of %j is refused', (win_probability, message) => {
  expect(problems([{ id, name: 'Demo', win_probability }])).toEqual([
    ['stages.0.win_probability', message],
  ])
})

test('a name that is missing or taken is told at its stage', () => {
  const stage = { win_probability: 10 }
  expect(problems([{ ...stage, id, name: ' ' }])).toEqual([['stages.0.name', 'Name is required.']])
  expect(
    problems([
      { ...stage, id, name: 'Demo' },
      { ...stage, id: other, name: 'Demo ' },
    ]),
  ).toEqual([['stages.1.name', 'A stage with this name already exists.']])
})

test('at least one stage stays', () => {
  expect(problems([])).toEqual([['stages', 'A pipeline needs at least one stage.']])
})

test('a removed stage that is in use asks where its deals go, and nothing is taken for granted', () => {
  const demo = { id, name: 'Demo', win_probability: 10 }
  const schema = stagesSchema([
    { id, name: 'Demo', deals: 0 },
    { id: other, name: 'Lead', deals: 1 },
    { id: 'unused', name: 'Unused', deals: 0 },
  ])
  const read = (moves: Record<string, string>) => schema.safeParse({ stages: [demo], moves })
  const fresh = '1b4e28ba-2fa1-41d2-883f-0016d3cca429'
  // Nothing, itself, one that goes too, one that is not stored yet.
  for (const to of [undefined, other, 'unused', fresh]) {
    expect(read(to ? { [other]: to } : {}).error?.issues).toMatchObject([
      { path: ['moves', other], message: 'Choose where the deal goes.' },
    ])
  }
  expect(read({ [other]: 'none' }).data?.moves).toEqual({ [other]: 'none' })
  expect(read({ [other]: id, unused: id }).data?.moves).toEqual({ [other]: id })
})

test('the question counts the deals', () => {
  expect(moveQuestion({ id, name: 'Negotiation', deals: 1 })).toBe(
    'Move the deal in Negotiation to',
  )
  expect(moveQuestion({ id, name: 'Lead', deals: 12 })).toBe('Move the 12 deals in Lead to')
})
