import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { rescheduleSchema } from '#domain/due-date-form.ts'
import { useRecordForm } from './use-record-form.ts'

afterEach(cleanup)

const saved = vi.fn(async () => {})

function Form() {
  const { form, element, submit } = useRecordForm({
    schema: rescheduleSchema('Europe/Berlin'),
    initialValues: { due_date: '', due_time: '' },
    save: saved,
  })
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <input aria-label="Date" name="due_date" {...form.getInputProps('due_date')} />
      <input aria-label="Time" name="due_time" {...form.getInputProps('due_time')} />
      <p>{[form.errors.due_date, form.errors.due_time].filter(Boolean).join(' ')}</p>
      <button type="submit">Save</button>
    </form>
  )
}

/** Half a date or time: the browser shows it and gives the page none. */
function typeHalf(label: string, isHalf = true): void {
  Object.defineProperty(screen.getByLabelText(label), 'validity', {
    value: { badInput: isHalf },
    configurable: true,
  })
}

test('half a date or half a time is no empty one: it is refused and stays', async () => {
  render(<Form />)
  const save = () => act(async () => screen.getByRole('button').click())
  typeHalf('Date')
  await save()
  expect(screen.getByText('Enter a date.')).toBeTruthy()
  typeHalf('Date', false)
  fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2026-11-15' } })
  typeHalf('Time')
  await save()
  expect(screen.getByText('Enter a time, or leave it empty.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Time'))
  expect(saved).not.toHaveBeenCalled()
  typeHalf('Time', false)
  await save()
  expect(saved).toHaveBeenCalledOnce()
})

test('what was typed stays when it cannot be saved, is sent once however often one presses, and can be sent again', async () => {
  saved.mockClear()
  let refuse = () => {}
  saved.mockImplementationOnce(
    () =>
      new Promise<void>((_, reject) => {
        refuse = () => reject(new Error('no'))
      }),
  )
  render(<Form />)
  const save = () => act(async () => screen.getByRole('button').click())
  const date = screen.getByLabelText<HTMLInputElement>('Date')
  fireEvent.change(date, { target: { value: '2026-11-15' } })
  await save()
  await save()
  expect(saved).toHaveBeenCalledOnce()
  await act(async () => refuse())
  expect(date.value).toBe('2026-11-15')
  await save()
  expect(saved).toHaveBeenCalledTimes(2)
})
