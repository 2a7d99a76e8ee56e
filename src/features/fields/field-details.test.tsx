import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { contactFields } from '#domain/fields/contacts.ts'
import { FieldDetails } from './index.ts'

const { first_name, nickname, role_title } = contactFields
const fields = { first_name, nickname, role_title }

afterEach(() => vi.restoreAllMocks())

function Details({ foldsEmpty }: { foldsEmpty: boolean }) {
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
        foldsEmpty={foldsEmpty}
      />
      <button type="button" onClick={change('first_name', null)}>
        Empty the name
      </button>
      <button type="button" onClick={change('nickname', 'Addie')}>
        Fill the nickname
      </button>
    </>
  )
}

function show(isPhone: boolean, foldsEmpty = true): void {
  const usual = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...usual(query),
    matches: isPhone && query === '(max-width: 48em)',
  }))
  // Typed text asks before it is left, which takes a router.
  const router = createMemoryRouter([{ path: '*', element: <Details foldsEmpty={foldsEmpty} /> }])
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
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

test.each([
  ['where there is room', false, true],
  ['where nothing is to be folded, such as in the cell of a table', true, false],
])('%s, all fields show', (_where, isPhone, foldsEmpty) => {
  show(isPhone, foldsEmpty)
  expect(labels()).toEqual(['First Name', 'Nickname', 'Role Title'])
  expect(screen.queryByRole('button', { name: 'Show empty fields' })).toBeNull()
})
