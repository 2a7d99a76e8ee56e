import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { OptionInput } from '#domain/fields/own-form.ts'
import { OptionsEditor } from './options-editor.tsx'

function Editor() {
  const [options, setOptions] = useState<OptionInput[]>([])
  return (
    <MantineProvider env="test">
      <OptionsEditor options={options} errorOf={() => null} onChange={setOptions} />
    </MantineProvider>
  )
}

/** The letters go where the focus is in this moment, as those of somebody who types fast do. */
function type(text: string): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLInputElement)) throw new Error('No field has the focus.')
  fireEvent.change(activeElement, { target: { value: activeElement.value + text } })
}

const names = () => screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value)

test('what is typed right after Enter is the name of the next option', () => {
  render(<Editor />)
  fireEvent.click(screen.getByRole('button', { name: 'Add option' }))
  type('Small')
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
  type('Large')
  expect(names()).toEqual(['Small', 'Large'])
  fireEvent.click(screen.getByRole('button', { name: 'Remove Large' }))
  type('er')
  expect(names()).toEqual(['Smaller'])
})
