import { expect, test } from 'vitest'
import { normalisedQuery } from './saved-view.ts'

test.each([
  ['', ''],
  ['?', ''],
  ['?sort=name&q=ada', 'q=ada&sort=name'],
  ['q=ada&sort=name', 'q=ada&sort=name'],
  // The order of columns means something.
  ['col=phone&sort=name&col=email', 'col=phone&col=email&sort=name'],
  ['q=%C3%A4+b', 'q=%C3%A4+b'],
  ['q=ä%20b', 'q=%C3%A4+b'],
])('%j is the view %j', (query, tidy) => {
  expect(normalisedQuery(query)).toBe(tidy)
})
