import { MantineProvider } from '@mantine/core'
import { useForm } from '@mantine/form'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Fields } from '#domain/fields/field.ts'
import { FieldInputs } from './index.ts'

const fields: Fields = {
  name: { kind: 'text', label: 'Name' },
  nickname: { kind: 'text', label: 'Nickname', isRare: true },
}

afterEach(cleanup)

function Form({ nickname = '' }: { nickname?: string }) {
  const form = useForm({ initialValues: { name: '', nickname } })
  return (
    <MantineProvider env="test">
      <FieldInputs fields={fields} form={form} />
      <button type="button" onClick={() => form.setErrors({ nickname: 'Too long.' })}>
        Check
      </button>
    </MantineProvider>
  )
}

const more = () => screen.getByRole('button', { name: 'More fields' })
const nickname = () => screen.queryByRole('textbox', { name: 'Nickname' })

test('what few people fill in shows when it is asked for', () => {
  render(<Form />)
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy()
  expect(nickname()).toBeNull()
  fireEvent.click(more())
  expect(more().getAttribute('aria-expanded')).toBe('true')
  fireEvent.change(nickname() ?? document.body, { target: { value: 'Addy' } })
  // Folded away again, it is still there.
  fireEvent.click(more())
  expect(nickname()).toBeNull()
  fireEvent.click(more())
  expect(nickname()).toHaveProperty('value', 'Addy')
})

test('it is open where something is in it, or wrong', () => {
  render(<Form nickname="Addy" />)
  expect(nickname()).toHaveProperty('value', 'Addy')
  cleanup()
  render(<Form />)
  fireEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(screen.getByText('Too long.')).toBeTruthy()
})
