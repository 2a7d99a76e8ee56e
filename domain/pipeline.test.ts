import { expect, test } from 'vitest'
import { isFixedStage, stagesSchema, withStageMoved } from './pipeline.ts'

const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const other = '1b4e28ba-2fa1-41d2-883f-0016d3cca428'
const problems = (stages: object[]) =>
  stagesSchema
    .safeParse({ stages })
    .error?.issues.map(({ path, message }) => [path.join('.'), message])

test('names are trimmed and probabilities read from what was typed', () => {
  expect(stagesSchema.parse({ stages: [{ id, name: ' Demo ', win_probability: '40' }] })).toEqual({
    stages: [{ id, name: 'Demo', win_probability: 40 }],
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
  ).toEqual([['stages.1.name', 'There is a stage with this name already.']])
})

test('at least one stage stays', () => {
  expect(problems([])).toEqual([['stages', 'A pipeline needs at least one stage.']])
})

test('won and lost are fixed', () => {
  expect(['Closed Won', 'Closed Lost', 'Lead'].map(isFixedStage)).toEqual([true, true, false])
})

test('a stage moves', () => {
  expect(withStageMoved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(withStageMoved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
})
