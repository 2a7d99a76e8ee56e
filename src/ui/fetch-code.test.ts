import { afterEach, expect, test, vi } from 'vitest'
import { fetchCode, isCodeMissing } from './fetch-code.ts'

afterEach(() => {
  document.head.innerHTML = ''
})

function styleSheet(): Element {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.setAttribute('data-test', 'yes')
  document.head.append(link)
  return link
}

const links = () => [...document.head.querySelectorAll('link')]

test('a style sheet that failed is put in again before more code is fetched', async () => {
  const load = vi.fn(async () => 'code')
  const failed = styleSheet()
  failed.dispatchEvent(new Event('error'))
  const first = fetchCode(load)
  const [again, ...others] = links()
  expect(others).toEqual([])
  expect(again).not.toBe(failed)
  expect(again?.getAttribute('data-test')).toBe('yes')

  // It fails once more, and so does what needed it.
  again?.dispatchEvent(new Event('error'))
  const error = await first.catch((reason) => reason)
  expect(isCodeMissing(error)).toBe(true)
  expect(load).not.toHaveBeenCalled()

  const second = fetchCode(load)
  const third = fetchCode(load)
  expect(links()).toHaveLength(1)
  expect(links()[0]).not.toBe(again)
  expect(load).not.toHaveBeenCalled()
  links()[0]?.dispatchEvent(new Event('load'))
  expect(await Promise.all([second, third])).toEqual(['code', 'code'])

  const mended = links()[0]
  await fetchCode(load)
  expect(links()[0]).toBe(mended)
})
