import { expect, test } from 'vitest'
import { companyUrlSchema, companyView } from './company-view.ts'

const view = (state: object) => companyView(companyUrlSchema.parse(state))

test('by default the newest come first, and nothing is filtered', () => {
  expect(view({})).toEqual({ filter: {}, sort: 'created', descending: true })
})

test('names begin with A, unless asked otherwise', () => {
  expect(view({ sort: 'name' })).toMatchObject({ sort: 'name', descending: false })
  expect(view({ sort: 'name', dir: 'desc' })).toMatchObject({ descending: true })
  expect(view({ dir: 'asc' })).toMatchObject({ sort: 'created', descending: false })
})

test('cards unless a table is asked for, with the usual columns', () => {
  expect(companyUrlSchema.parse({})).toMatchObject({
    view: 'cards',
    col: ['website', 'industry', 'location', 'contacts', 'open_deals'],
  })
  expect(view({ view: 'table', sort: 'open_deals' })).toMatchObject({ descending: true })
  for (const unknown of [{ view: 'board' }, { col: ['password'] }, { col: ['tags', 'tags'] }]) {
    expect(companyUrlSchema.safeParse(unknown).success).toBe(false)
  }
})

test('only what is asked for is in the filter', () => {
  expect(view({ q: ' ada ', industry: ['Tools'] }).filter).toEqual({
    search: 'ada',
    industry: ['Tools'],
  })
})
