import { MantineProvider, TextInput } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfirmHost } from './confirm.tsx'
import { FormDialog } from './form-dialog.tsx'
import { RecordSelect } from './record-select.tsx'
import { theme } from './theme.ts'

const onClose = vi.fn()
const bolt = { id: '1', label: 'Bolt' }
const useChoices = () => ({ choices: [bolt], exact: null, isLoading: false, hasFailed: false })
const rest = { isDirty: false, isSaving: false, onSubmit: () => {}, submitLabel: 'Save' }

/** A form with a field that chooses, and the form of a new record over it. */
function Forms() {
  const [isCovered, setIsCovered] = useState(false)
  return (
    <MantineProvider env="test" theme={theme}>
      <FormDialog {...rest} title="Deal" onClose={onClose} isCovered={isCovered}>
        <TextInput label="Name" data-autofocus />
        <RecordSelect
          label="Company"
          chosen={null}
          onChoose={() => {}}
          useChoices={useChoices}
          creation={{ label: 'New', open: () => setIsCovered(true), make: async () => null }}
        />
      </FormDialog>
      {isCovered && (
        <FormDialog {...rest} title="Company" onClose={() => setIsCovered(false)}>
          <TextInput label="Website" data-autofocus />
        </FormDialog>
      )}
      <ConfirmHost />
    </MantineProvider>
  )
}

const company = () => screen.getByRole('combobox', { name: 'Company' })
const type = (value: string) => fireEvent.input(company(), { target: { value } })

afterEach(() => {
  cleanup()
  onClose.mockClear()
})

test('a name that is typed and not chosen is typed text: closing asks', async () => {
  render(<Forms />)
  type('Zeta')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  onClose.mockClear()
  type('')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' })))
  expect(onClose).toHaveBeenCalledOnce()
})

test('half a date is typed text: closing asks', async () => {
  render(<Forms />)
  const name = screen.getByRole('textbox', { name: 'Name' })
  // What a browser says of such a field; here there are no dates to type.
  Object.defineProperty(name, 'validity', { value: { badInput: true } })
  fireEvent.keyUp(name, { key: '1' })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  const discard = await screen.findByRole('button', { name: 'Discard' })
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(discard)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('when the form of a new record is closed, the keyboard is back in the field', async () => {
  render(<Forms />)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  act(() => company().focus())
  type('Zeta')
  fireEvent.click(screen.getByRole('option', { name: 'New “Zeta”' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Website')))
  const back = vi.fn()
  screen.getByLabelText('Name').addEventListener('focus', back)
  fireEvent.click(screen.getAllByRole('button', { name: 'Cancel' })[1] as HTMLElement)
  // The trap of the focus takes it to the first field before.
  await waitFor(() => expect(back).toHaveBeenCalled())
  await waitFor(() => expect(document.activeElement).toBe(company()))
})
