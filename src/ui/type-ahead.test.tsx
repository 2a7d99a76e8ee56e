import { MantineProvider, MultiSelect, Select } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseByTyping } from './type-ahead.ts'
import { hasTypedText } from './use-leave-question.ts'

let end = () => {}
beforeEach(() => {
  end = chooseByTyping()
})
afterEach(() => end())

const stages = ['No Stage', 'Lead', 'Proposal', 'Closed Won', 'Closed Lost']

function show() {
  const [onChange, onSubmit] = [vi.fn(), vi.fn((event: Event) => event.preventDefault())]
  render(
    <MantineProvider env="test">
      <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
        <Select label="Stage" data={stages} defaultValue="Lead" onChange={onChange} />
        <MultiSelect label="Stages" data={stages} onChange={onChange} />
      </form>
    </MantineProvider>,
  )
  return { onChange, onSubmit }
}

const field = (name: string) => screen.getByRole('combobox', { name })
const type = (to: HTMLElement, text: string) => {
  for (const key of text) fireEvent.keyDown(to, { key })
}
const marked = () => document.querySelector('[data-combobox-selected]')?.textContent

test('the first letters mark an option, and Tab takes it', async () => {
  const { onChange } = show()
  type(field('Stage'), 'prop')
  await waitFor(() => expect(marked()).toBe('Proposal'))
  expect(onChange).not.toHaveBeenCalled()
  fireEvent.keyDown(field('Stage'), { key: 'Tab', code: 'Tab' })
  expect(onChange).toHaveBeenCalledWith('Proposal', expect.anything())
})

test('a press elsewhere takes it, one on another option does not', async () => {
  const { onChange } = show()
  type(field('Stage'), 'prop')
  await waitFor(() => expect(marked()).toBe('Proposal'))
  fireEvent.mouseDown(screen.getByRole('option', { name: 'Closed Won' }))
  expect(onChange).not.toHaveBeenCalled()
  type(field('Stage'), 'prop')
  await waitFor(() => expect(marked()).toBe('Proposal'))
  fireEvent.mouseDown(document.body)
  expect(onChange).toHaveBeenCalledWith('Proposal', expect.anything())
})

test('letters that mark another option are typed text until they are taken or dropped', async () => {
  show()
  type(field('Stage'), 'prop')
  await waitFor(() => expect(marked()).toBe('Proposal'))
  expect(hasTypedText()).toBe(true)
  fireEvent.keyDown(field('Stage'), { key: 'Escape', code: 'Escape' })
  expect(hasTypedText()).toBe(false)
  type(field('Stage'), 'lead')
  await waitFor(() => expect(marked()).toBe('Lead'))
  expect(hasTypedText()).toBe(false)
})

test('Enter takes it as well, however fast it comes, and sends no form', async () => {
  const { onChange, onSubmit } = show()
  type(field('Stage'), 'closed lo')
  fireEvent.keyDown(field('Stage'), { key: 'Enter', code: 'Enter' })
  await waitFor(() => expect(onChange).toHaveBeenCalledWith('Closed Lost', expect.anything()))
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a letter that finds the list late does not take back what later ones have marked', async () => {
  const frames: FrameRequestCallback[] = []
  const waiting = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => {
    return frames.push(callback)
  })
  show()
  type(field('Stage'), 'closed l')
  await waitFor(() => expect(marked()).toBe('Closed Lost'))
  waiting.mockRestore()
  for (const callback of frames) callback(0)
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect(marked()).toBe('Closed Lost')
})

test('a word within a name counts, where several can be chosen, too', async () => {
  const { onChange } = show()
  type(field('Stages'), 'wo')
  await waitFor(() => expect(marked()).toBe('Closed Won'))
  fireEvent.keyDown(field('Stages'), { key: 'Enter', code: 'Enter' })
  await waitFor(() => expect(onChange).toHaveBeenCalledWith(['Closed Won']))
})

test('what is chosen already stays, by Enter and by Tab', async () => {
  const { onChange } = show()
  for (const key of ['Enter', 'Tab']) {
    type(field('Stage'), 'lea')
    await waitFor(() => expect(marked()).toBe('Lead'))
    fireEvent.keyDown(field('Stage'), { key, code: key })
    await waitFor(() => expect(field('Stage').getAttribute('aria-expanded')).toBe('false'))
  }
  expect(onChange).not.toHaveBeenCalled()
})

test('what nothing is called chooses nothing', async () => {
  const { onChange } = show()
  type(field('Stage'), 'xyz')
  await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(0))
  fireEvent.keyDown(field('Stage'), { key: 'Enter', code: 'Enter' })
  fireEvent.keyDown(field('Stage'), { key: 'Tab', code: 'Tab' })
  await Promise.resolve()
  expect(onChange).not.toHaveBeenCalled()
})
