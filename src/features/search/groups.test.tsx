import { isValidElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { groupsOf } from './groups.tsx'
import type { Hit } from './queries.ts'

afterEach(() => vi.restoreAllMocks())

const ada: Hit = {
  kind: 'contacts',
  id: 'a0000000-0000-4000-8000-000000000001',
  title: 'Ada Lovelace',
  about: null,
  email: 'ada@example.com',
  phone_number: '+49 30 123',
  rank: 1,
}

function offered(words: string, hits: Hit[], foundFor = words) {
  return groupsOf({
    ...{ kept: '', onContinue() {}, typed: words, words, foundFor, pinned: [], hits },
    ...{ commands: [], plan: undefined, known: undefined, plain: [], onOpen() {}, onCreate() {} },
  })
}

const commandsOf = (...args: Parameters<typeof offered>) =>
  offered(...args)
    .find(({ label }) => label === 'Commands')
    ?.choices.map(({ content }) =>
      isValidElement<{ title: string }>(content) ? content.props.title : '',
    )

const [call, write] = ['Call Ada Lovelace on +49 30 123', 'Write email to ada@example.com']

test.each([
  ['ada', ada, [call, write]],
  ['call ada', ada, [call]],
  ['Email ada', ada, [write]],
  ['callahan', ada, [call, write]],
  ['call ada', { ...ada, phone_number: null }, undefined],
  ['ada', { ...ada, phone_number: null }, [write]],
  ['ada', { ...ada, email: null, title: '' }, ['Call +49 30 123']],
  ['', ada, undefined],
])('“%s” offers to call or to write to who was found', (words, hit, names) => {
  expect(commandsOf(words, [hit])).toEqual(names)
})

test('of several people of a name, the first three with a number can be called', () => {
  const kellers = ['Mia', 'Tom', 'Maria', 'Eva', 'Jo'].map(
    (name, place): Hit => ({
      ...ada,
      id: `a0000000-0000-4000-8000-00000000001${place}`,
      title: `${name} Keller`,
      email: null,
      phone_number: name === 'Tom' ? null : '+49 30 123',
    }),
  )
  expect(commandsOf('keller', kellers)).toEqual(
    ['Mia', 'Maria', 'Eva'].map((name) => `Call ${name} Keller on +49 30 123`),
  )
})

test('what the search before found is not what is searched for now', () => {
  const groups = offered('grace', [ada], '')
  expect(groups.map(({ label }) => label)).toEqual(['Recent'])
})

test('a number that is dialed is that of its record, so that the call can be logged', () => {
  const dialed: unknown[] = []
  const press = (event: MouseEvent) => {
    event.preventDefault()
    const link = event.target instanceof Element ? event.target.closest('a[href^="tel:"]') : null
    const row = link?.closest('li')?.querySelector('a[data-row-link]')
    dialed.push([link?.getAttribute('href'), row?.getAttribute('href')])
  }
  document.addEventListener('click', press, true)
  const commands = offered('ada', [ada]).find(({ label }) => label === 'Commands')
  commands?.choices[0]?.run()
  document.removeEventListener('click', press, true)
  expect(dialed).toEqual([['tel:+4930123', `/app/contacts/${ada.id}`]])
  expect(document.querySelector('[data-row-link]')).toBeNull()
})
