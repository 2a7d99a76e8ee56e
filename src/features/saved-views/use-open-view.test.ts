import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { contactFields, contactSorts } from '#domain/fields/contacts.ts'
import type { Fields } from '#domain/fields/field.ts'
import { ownFields } from '#domain/fields/own.ts'
import { normalisedQuery } from '#domain/saved-view.ts'
import { listUrlWithOwn, listView } from '#lib/list-view.ts'
import { readUrlState, writeUrlState } from '#lib/url-state.ts'
import { useOpenView } from './use-open-view.ts'

const mine = { id: '1', name: 'Mine', query: 'sort=name' }
const twin = { id: '2', name: 'Twin', query: 'sort=name' }
const other = { id: '3', name: 'Other', query: 'sort=email' }

function shown(views: (typeof mine)[], query: string) {
  const { result, rerender } = renderHook((props) => useOpenView(props.views, props.query), {
    initialProps: { views, query },
  })
  return {
    go(next: string, nextViews = views) {
      rerender({ views: nextViews, query: next })
      const { open, isChanged } = result.current
      return open && `${open.name}${isChanged ? ' changed' : ''}`
    },
    choose: (id: string) => result.current.setLastId(id),
  }
}

test('the view that means the same is open, and stays open when something is changed', () => {
  const { go } = shown([mine, other], '')
  expect(go('')).toBeUndefined()
  expect(go('q=x')).toBeUndefined()
  expect(go('sort=name')).toBe('Mine')
  expect(go('q=x&sort=name')).toBe('Mine changed')
  expect(go('sort=email')).toBe('Other')
})

test('back at the list as it is by default, none is open', () => {
  const { go } = shown([mine], 'sort=name')
  expect(go('')).toBeUndefined()
  expect(go('q=x')).toBeUndefined()
})

test('of two that mean the same, the one that was chosen', () => {
  const { go, choose } = shown([mine, twin], '')
  expect(go('sort=name')).toBe('Mine')
  choose('2')
  expect(go('sort=name')).toBe('Twin')
})

test('a view that is gone is not open', () => {
  const { go } = shown([mine, other], 'sort=name')
  expect(go('q=x', [other])).toBeUndefined()
})

test('a filter by a field of the user’s own belongs to the view, before the fields are read and after', () => {
  const tier = '00000001-0000-4000-8000-000000000000'
  const own = ownFields(
    [
      {
        id: tier,
        record: 'contacts',
        name: 'Tier',
        kind: 'choice',
        options: ['~aaaaaaa', '~bbbbbbb'].map((id) => ({ id, name: id, color: 'gray' })),
        position: 1,
        is_hidden: false,
      },
    ],
    'contacts',
  )
  /** What the list makes of an address, and the address that its menu of views gets. */
  const read = (fields: Fields | null, query: string) => {
    const schema = z.object(listUrlWithOwn(contactSorts, 'created', fields))
    const { state } = readUrlState(schema, new URLSearchParams(query))
    const { filter } = listView({ fields: contactFields, sorts: contactSorts, filters: [] }, state)
    return { filter, query: normalisedQuery(writeUrlState(schema, state).toString()) }
  }
  const stored = `sort=name&field=${tier}.is.~aaaaaaa`
  const view = { ...mine, query: read(own, stored).query }
  const { go } = shown([view, other], '')
  for (const fields of [null, own]) {
    const opened = read(fields, view.query)
    expect(opened.filter).toMatchObject({ fields: { [tier]: expect.anything() } })
    expect(go(opened.query)).toBe('Mine')
    expect(go(read(fields, stored.replace('aaaaaaa', 'bbbbbbb')).query)).toBe('Mine changed')
    expect(go(read(fields, 'sort=email').query)).toBe('Other')
  }
})
