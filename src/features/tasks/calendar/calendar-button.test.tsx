import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { CalendarButton } from './calendar-button.tsx'

afterEach(() => {
  cleanup()
  document.getElementById('settings')?.remove()
})

function showWith(supabaseUrl: string): void {
  const settings = document.createElement('script')
  settings.type = 'application/json'
  settings.id = 'settings'
  settings.textContent = JSON.stringify({ supabaseUrl, supabaseKey: 'public' })
  document.body.append(settings)
  render(
    <MantineProvider>
      <CalendarButton />
    </MantineProvider>,
  )
}

test('is offered where our own server holds the data', () => {
  showWith('')
  expect(screen.getByRole('button', { name: 'Calendar' })).toBeTruthy()
})

test('is not offered where a hosted project does', () => {
  showWith('https://example.supabase.co')
  expect(screen.queryByRole('button')).toBeNull()
})
