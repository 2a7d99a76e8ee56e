import { expect, test } from 'vitest'
import { exactMatch, foundByName, likeliestFirst } from './choices.ts'

const named = (...labels: string[]) => labels.map((label) => ({ label }))
const labels = (choices: { label: string }[]) => choices.map(({ label }) => label)

test.each([
  ['acme ltd', 'Acme Ltd'],
  ['  ACME   Ltd ', 'Acme Ltd'],
  ['cafe zurich', 'Café Zürich'],
  ['strasse', 'Straße'],
  ['Acme', null],
  ['', null],
  ['  ', null],
])('%j is exactly %j', (typed, expected) => {
  const choices = named('Acme Ltd', 'Café Zürich', 'Straße')
  expect(exactMatch(choices, typed)?.label ?? null).toBe(expected)
})

test('a name that two have tells neither', () => {
  expect(exactMatch(named('Acme', 'acme', 'Acme Ltd'), 'Acme')).toBeNull()
})

test('what is called so comes first, then what begins so, else the order stays', () => {
  const choices = named('1 Acme', 'Acme Ltd', 'Big Acme', 'acmé', 'ACME AG')
  expect(labels(likeliestFirst(choices, 'Acme'))).toEqual([
    'acmé',
    'Acme Ltd',
    'ACME AG',
    '1 Acme',
    'Big Acme',
  ])
})

test('finds by part of the name, accents and capitals aside; nothing typed finds all', () => {
  const choices = named('Big Cafés', 'VIP', 'cafe')
  expect(labels(foundByName(choices, 'CAFÉ'))).toEqual(['cafe', 'Big Cafés'])
  expect(labels(foundByName(choices, ' '))).toEqual(['Big Cafés', 'VIP', 'cafe'])
})
