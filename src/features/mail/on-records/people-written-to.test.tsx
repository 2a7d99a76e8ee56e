import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { PeopleWrittenTo } from './people-written-to.tsx'

let endSession = () => {}
let asked: { name: string; body: unknown }[]
let boxes: object[]
beforeEach(() => {
  endSession = beginSession()
  asked = []
  boxes = [{ id: 'box' }]
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const [, name = ''] = /\/rest\/v1\/(?:rpc\/)?(\w+)/.exec(String(input)) ?? []
    asked.push({ name, body: init?.body ? JSON.parse(String(init.body)) : null })
    if (name === 'mail_accounts') return Response.json(boxes)
    if (name !== 'mail_suggestions') return Response.json([])
    return Response.json([{ address: 'bob@example.com', name: 'Bob Baker' }])
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  endSession()
})

function open() {
  const client = createQueryClient({
    ...{ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() },
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <PeopleWrittenTo />
      </QueryClientProvider>
    </MantineProvider>,
  )
}
const bodiesOf = (wanted: string) =>
  asked.filter(({ name }) => name === wanted).map(({ body }) => body)

test('who was written to twice is added as a contact, or never offered again', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Add contact Bob Baker' }))
  await waitFor(() =>
    expect(bodiesOf('contacts')).toEqual([
      { email: 'bob@example.com', first_name: 'Bob', last_name: 'Baker' },
    ]),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Never add Bob Baker' }))
  await waitFor(() =>
    expect(bodiesOf('decline_suggestion')).toEqual([{ address: 'bob@example.com' }]),
  )
})

test('without any mail nothing is asked for', async () => {
  boxes = []
  open()
  await waitFor(() => expect(bodiesOf('mails')).toHaveLength(1))
  expect(bodiesOf('mail_suggestions')).toEqual([])
  expect(screen.queryByRole('region')).toBeNull()
})
