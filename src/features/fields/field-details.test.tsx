import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { contactFields } from '#domain/fields/contacts.ts'
import type { Fields } from '#domain/fields/field.ts'
import { type OwnField, ownFields } from '#domain/fields/own.ts'
import { CellEditingContext } from '#ui/cell-editing.ts'
import { FieldDetails } from './index.ts'

const { first_name, nickname, role_title } = contactFields
const fields = { first_name, nickname, role_title }

/** So many fields of the user's own. */
function ownOf(count: number): Fields {
  const rows = Array.from({ length: count }, (_, position): OwnField => {
    const [id, name] = [`~${position}`, `Own ${position}`]
    return { id, record: 'contacts', name, kind: 'text', options: [], position, is_hidden: false }
  })
  return ownFields(rows, 'contacts')
}

afterEach(() => vi.restoreAllMocks())

function Details({ fields: before }: { fields: Fields }) {
  const [fields, setFields] = useState(before)
  const [record, setRecord] = useState<Record<string, string | null>>({ first_name: 'Ada' })
  const change = (name: string, value: string | null) => () =>
    setRecord({ ...record, [name]: value })
  return (
    <>
      <FieldDetails
        fields={fields}
        record={record}
        field={(name) => ({
          value: record[name] ?? '',
          check: () => null,
          save: async () => null,
          put: async () => null,
          choose: () => {},
        })}
        onTakeTheirs={() => {}}
      />
      <button type="button" onClick={change('first_name', null)}>
        Empty the name
      </button>
      <button type="button" onClick={change('nickname', 'Addie')}>
        Fill the nickname
      </button>
      <button type="button" onClick={() => setFields({ ...fields, ...ownOf(1) })}>
        Add a field
      </button>
    </>
  )
}

function show(isPhone: boolean, isInCell = false, more: Fields = {}): void {
  const usual = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...usual(query),
    matches: isPhone && query === '(max-width: 48em)',
  }))
  // Typed text asks before it is left, which takes a router.
  const router = createMemoryRouter([
    { path: '*', element: <Details fields={isInCell ? { nickname } : { ...fields, ...more }} /> },
  ])
  const cell = { home: () => null, onSettled: () => {} }
  render(
    <MantineProvider env="test">
      <CellEditingContext value={isInCell ? cell : null}>
        <RouterProvider router={router} />
      </CellEditingContext>
    </MantineProvider>,
  )
}

const labels = () =>
  ['First Name', 'Nickname', 'Role Title'].filter((label) => screen.queryByText(label) !== null)
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('on a phone empty fields are behind a button', () => {
  show(true)
  expect(labels()).toEqual(['First Name'])
  press('Show empty fields')
  expect(labels()).toEqual(['First Name', 'Nickname', 'Role Title'])
  press('Hide empty fields')
  // What is emptied stays where it is edited, and what is filled meanwhile shows.
  press('Empty the name')
  press('Fill the nickname')
  expect(labels()).toEqual(['First Name', 'Nickname'])
})

test('where there is room, all fields show', () => {
  show(false)
  expect(labels()).toEqual(['First Name', 'Nickname', 'Role Title'])
  expect(screen.queryByRole('button', { name: 'Show empty fields' })).toBeNull()
})

test('an empty field in the cell of a table is not folded', () => {
  show(true, true)
  expect(screen.getByRole('textbox')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show empty fields' })).toBeNull()
})

test('a field that was just added shows, to be filled', () => {
  show(true)
  press('Add a field')
  expect(screen.getByText('Own 0')).toBeTruthy()
  expect(labels()).toEqual(['First Name'])
})

test('where there is room, a dozen empty fields of the user’s own show', () => {
  show(false, false, ownOf(12))
  expect(screen.getByText('Own 11')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show empty fields' })).toBeNull()
})

test('where there is room, more of them are behind the button, and no others', () => {
  show(false, false, ownOf(13))
  expect(labels()).toEqual(['First Name', 'Nickname', 'Role Title'])
  expect(screen.queryByText('Own 0')).toBeNull()
  press('Show empty fields')
  expect(screen.getByText('Own 12')).toBeTruthy()
})
