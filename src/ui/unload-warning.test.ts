import { expect, test } from 'vitest'
import { holdOverReload, losesByReload, warnBeforeUnload } from './unload-warning.ts'

test('a reload would lose what is at work or half typed, besides typed text, which asks by itself', () => {
  const stopTyped = warnBeforeUnload(true)
  expect(losesByReload()).toBe(false)
  const stopUpload = warnBeforeUnload()
  expect(losesByReload()).toBe(true)
  stopUpload()
  expect(losesByReload()).toBe(false)
  let line = 'Call Ada'
  const release = holdOverReload(() => line !== '')
  expect(losesByReload()).toBe(true)
  line = ''
  expect(losesByReload()).toBe(false)
  release()
  stopTyped()
})
