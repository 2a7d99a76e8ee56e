import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { type OwnKind, ownFields } from '#domain/fields/own.ts'
import { OwnFilters } from './own-filters.tsx'

afterEach(cleanup)

const id = (place: number) => `00000000-0000-4000-8000-00000000000${place}`
const kinds: OwnKind[] = ['text', 'number', 'long text']
const own = ownFields(
  kinds.map((kind, position) => ({
    id: id(position),
    record: 'contacts',
    name: `The ${kind}`,
    kind,
    options: [],
    position,
    is_hidden: false,
  })),
  'contacts',
)

test('of many fields those that are in use show, and the others wait together in one choice', () => {
  const onChange = vi.fn()
  render(
    <MantineProvider env="test">
      <OwnFilters own={own} conditions={[`${id(0)}.contains.abc`]} onChange={onChange} />
    </MantineProvider>,
  )
  expect(screen.getByLabelText('The text contains')).toHaveProperty('value', 'abc')
  expect(screen.queryByLabelText('The long text contains')).toBeNull()
  const offered = () => {
    fireEvent.click(screen.getByRole('combobox', { name: 'Custom fields' }))
    return screen.getAllByRole('option', { name: /^The /, hidden: true })
  }
  expect(offered().map(({ textContent }) => textContent)).toEqual(['The number', 'The long text'])
  fireEvent.click(screen.getByRole('option', { name: 'The long text', hidden: true }))
  expect(screen.getByLabelText('The long text contains')).toHaveProperty('value', '')
  expect(offered().map(({ textContent }) => textContent)).toEqual(['The number'])
  expect(onChange).not.toHaveBeenCalled()
})
