import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
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
