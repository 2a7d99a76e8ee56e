import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EachStep } from './each-step.tsx'
import type { Mark } from './use-opened.ts'

/** No mail program is opened here. */
const stay = (event: Event) => event.preventDefault()
beforeEach(() => window.addEventListener('click', stay))
afterEach(() => window.removeEventListener('click', stay))

const all = ['Ada', 'Bob'].map((first_name) => ({
  address: `${first_name}@example.com`,
  ids: [first_name],
  contact: {
    ...{ id: first_name, first_name, last_name: null, email: `${first_name}@example.com` },
    ...{ role_title: null, company_name: null },
  },
}))

function Mails() {
  const [marks, setMarks] = useState<string[]>([])
  const opened = {
    open: async (to: { address: string }[]) =>
      setMarks([...marks, ...to.map(({ address }) => address)]),
    markOf: (to: { address: string }[]): Mark =>
      to.every(({ address }) => marks.includes(address)) ? 'opened' : undefined,
  }
  const none = () => {}
  return (
    <EachStep
      text={{ subject: 'Hello', body: 'You' }}
      all={all}
      opened={opened}
      onBack={none}
      onClose={none}
      onFinished={none}
    />
  )
}

test('what was pressed to open a mail goes on to the next person', () => {
  render(<Mails />, { wrapper: MantineProvider })
  const focused = () => document.activeElement?.textContent
  expect(focused()).toBe('Open in mail app')
  const place = screen.getByRole('link', { name: 'Open in mail app' }).parentElement
  fireEvent.click(screen.getByRole('link', { name: 'Open in mail app' }))
  expect(place?.firstElementChild?.textContent).toBe('Next')
  expect(focused()).toBe('Next')
  fireEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(screen.getByText('2 of 2')).toBeTruthy()
  expect(focused()).toBe('Open in mail app')
})
