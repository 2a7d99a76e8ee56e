import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteAnswer } from './network.ts'
import { sessionKey, sessionStorage, storedUser } from './stored-session.ts'
import { beginSession } from './test-session.ts'

let end = () => {}
beforeEach(() => {
  noteAnswer(true)
  end = beginSession()
})
afterEach(() => {
  noteAnswer(true)
  end()
})

const expired = JSON.stringify({ refresh_token: 'r', expires_at: 1, user: { id: 'ada' } })
const readExpiry = () => JSON.parse(sessionStorage().getItem(sessionKey()) ?? '').expires_at

test('an expired token lasts while nobody is reached, and only then', () => {
  localStorage.setItem(sessionKey(), expired)
  expect(readExpiry()).toBe(1)
  noteAnswer(false)
  expect(readExpiry()).toBeGreaterThan(Date.now() / 1000)
  expect(localStorage.getItem(sessionKey())).toBe(expired)
  noteAnswer(true)
  expect(readExpiry()).toBe(1)
})

test('whoever is stored is known; what cannot be read is nobody', () => {
  localStorage.setItem(sessionKey(), expired)
  expect(storedUser()?.id).toBe('ada')
  for (const broken of ['', '{', 'null', '{"user":{"id":"x"}}', '{"refresh_token":"r"}']) {
    localStorage.setItem(sessionKey(), broken)
    expect(storedUser()).toBeNull()
  }
})
