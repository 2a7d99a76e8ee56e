import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useComposer } from '#features/forms/index.ts'
import { resetStores } from '#lib/store.ts'
import type { Task } from './queries.ts'
import { TaskEmailButton } from './task-email-button.tsx'

afterEach(() => {
  cleanup()
  act(() => resetStores())
})

function Asked() {
  return <output>{JSON.stringify(useComposer().request)}</output>
}

function show(task: object): void {
  render(
    <MantineProvider env="test">
      <TaskEmailButton task={{ title: 'Call', contact_id: null, deal_id: null, ...task } as Task} />
      <Asked />
    </MantineProvider>,
  )
}

const ada = { contact_id: 'c', contact: { first_name: 'Ada', last_name: 'Lovelace' } }
const asked = () => JSON.parse(screen.getByRole('status').textContent ?? '')

test('writes to the contact of a task, about its deal', () => {
  show({ ...ada, deal_id: 'd', deal_name: 'Roof' })
  fireEvent.click(screen.getByRole('button', { name: 'Email Ada Lovelace about Call' }))
  expect(asked()).toEqual({
    contacts: { filter: { ids: ['c'] }, count: 1 },
    subject: { record: 'deal', id: 'd', name: 'Roof' },
  })
})

test('without a deal the files are the contact’s; without a contact there is no button', () => {
  show(ada)
  fireEvent.click(screen.getByRole('button'))
  expect(asked().subject).toEqual({ record: 'contact', id: 'c', name: 'Ada Lovelace' })
  cleanup()
  show({})
  expect(screen.queryByRole('button')).toBeNull()
})
