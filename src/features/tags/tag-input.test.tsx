import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { CellEditingContext } from '#ui/cell-editing.ts'
import { EditableTags } from './editable-tags.tsx'
import { type Tag, useDeleteTag, useRenameTag } from './queries.ts'
import { TagInput } from './tag-input.tsx'

afterEach(cleanup)

function shown(child: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(
    ['tags', 'names'],
    ['VIP', 'Newsletter'].map((name) => ({ id: name, name })),
  )
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">{child}</MantineProvider>
    </QueryClientProvider>,
  )
}

function Form({ tags, told }: { tags: string[]; told: (tags: string) => void }) {
  const [value, setValue] = useState(tags)
  return (
    <TagInput
      label="Tags"
      value={value}
      onChange={(next) => {
        told(next.join())
        setValue(next)
      }}
    />
  )
}

/** The input of a form, with what the form holds. */
function inForm(tags: string[]) {
  const told = vi.fn()
  shown(<Form tags={tags} told={told} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Tags' })
  act(() => input.focus())
  return {
    input,
    held: () => told.mock.lastCall?.[0],
    type: (value: string) => fireEvent.change(input, { target: { value } }),
    press: (key: string) => fireEvent.keyDown(input, { key, code: key }),
    pills: () =>
      screen.queryAllByRole('button', { name: /^Remove / }).map((each) => each.ariaLabel),
  }
}

test('what is typed is held at once, and becomes a tag by Enter, a comma or leaving', () => {
  const { input, held, type, press, pills } = inForm(['a'])
  type('Press')
  expect(held()).toBe('a,Press')
  expect(pills()).toEqual(['Remove a'])
  press('Enter')
  expect([held(), input.value]).toEqual(['a,Press', ''])
  type('b')
  press(',')
  expect(pills()).toEqual(['Remove a', 'Remove Press', 'Remove b'])
  type('half')
  act(() => input.blur())
  expect([held(), input.value]).toEqual(['a,Press,b,half', ''])
})

test('a tag that there is keeps its spelling, and none comes twice', () => {
  const { held, type, press } = inForm([])
  type('vip')
  expect(held()).toBe('VIP')
  press('Enter')
  type('viP')
  press('Enter')
  expect(held()).toBe('VIP')
})

test('the arrows reach a suggestion, which Enter takes', () => {
  const { input, held, type, press } = inForm(['a'])
  type('news')
  press('ArrowDown')
  expect(input.getAttribute('aria-activedescendant')).toBeTruthy()
  press('Enter')
  expect([held(), input.value]).toEqual(['a,Newsletter', ''])
})

test('the last one is removed by Backspace, each by its button', () => {
  const { input, held, press } = inForm(['a', 'b', 'c'])
  press('Backspace')
  expect(held()).toBe('a,b')
  fireEvent.click(screen.getByRole('button', { name: 'Remove a' }))
  expect(held()).toBe('b')
  expect(input.value).toBe('')
})

test('several are pasted; a word is pasted where the caret is', () => {
  const { input, held, type } = inForm([])
  const paste = (text: string) => fireEvent.paste(input, { clipboardData: { getData: () => text } })
  paste('a; b\nc, a')
  expect([held(), input.value]).toEqual(['a,b,c', ''])
  type('Key ')
  paste('account')
  expect([held(), input.value]).toEqual(['a,b,c,Key account', 'Key account'])
})

function inPlace(value: string[]) {
  const choose = vi.fn()
  shown(<EditableTags label="Tags" value={value} onChoose={choose} />)
  fireEvent.click(screen.getByRole('button', { name: /^Edit Tags/ }))
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Tags' })
  return { choose, input }
}

test('in place: leaving saves once, with what was typed last', () => {
  const { choose, input } = inPlace(['a'])
  expect(document.activeElement).toBe(input)
  fireEvent.change(input, { target: { value: 'half' } })
  act(() => input.blur())
  expect(choose.mock.calls).toEqual([[['a', 'half']]])
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('in place: Enter ends, Escape takes back, and what is the same is not saved', () => {
  const { choose, input } = inPlace(['a'])
  fireEvent.change(input, { target: { value: 'b' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  fireEvent.keyDown(input, { key: 'Escape' })
  expect(choose).not.toHaveBeenCalled()
  const edit = screen.getByRole('button', { name: /^Edit Tags/ })
  expect(document.activeElement).toBe(edit)
  fireEvent.click(edit)
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(choose).not.toHaveBeenCalled()
})

test('in the cell of a table: begins at once, and ends with the editing', () => {
  const choose = vi.fn()
  const settled = vi.fn()
  shown(
    <CellEditingContext value={{ home: () => null, onSettled: settled }}>
      <EditableTags label="Tags" value={['a']} onChoose={choose} />
    </CellEditingContext>,
  )
  const input = screen.getByRole('combobox', { name: 'Tags' })
  expect(document.activeElement).toBe(input)
  fireEvent.change(input, { target: { value: 'b' } })
  act(() => input.blur())
  expect(choose.mock.calls).toEqual([[['a', 'b']]])
  expect(settled).toHaveBeenCalledOnce()
  // The table shows the value.
  expect(screen.queryByRole('button', { name: /^Edit Tags/ })).toBeNull()
})

const tag: Tag = { id: 'VIP', name: 'VIP', contacts: 1, companies: 0, deals: 0 }

test('rename tag', () =>
  expectFailedWrite('Failed to rename tag', () => {
    const rename = useRenameTag()
    return () => rename(tag, 'Key', [tag])
  }))

test('delete tag', () =>
  expectFailedWrite('Failed to delete tag', () => {
    const remove = useDeleteTag()
    return () => remove(tag)
  }))
