import { expect, test } from 'vitest'
import { AccountTurns } from './account-turns.ts'
import { QueueTooLong } from './turns.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('work waits for requests under way, later ones wait for the work, and other accounts for nothing', async () => {
  const turns = new AccountTurns()
  const told: string[] = []
  const [request, work] = [gate(), gate()]
  const tell = (words: string, until?: Promise<void>) => async () => {
    told.push(`${words} begins`)
    await until
    told.push(`${words} ends`)
  }
  const all = [
    turns.beside('ada', tell('a request', request.opened)),
    turns.alone('ada', tell('work', work.opened)),
    turns.beside('ada', tell('a later request')),
    turns.alone('ada', tell('later work')),
  ]
  await turns.beside('grace', tell("another's"))
  expect(told).toEqual(['a request begins', "another's begins", "another's ends"])
  request.open()
  await all[0]
  await turns.beside('grace', async () => {})
  expect(told.slice(3)).toEqual(['a request ends', 'work begins'])
  work.open()
  await Promise.all(all)
  expect(told[5]).toBe('work ends')
  expect(told.slice(6).sort()).toEqual(
    [
      'a later request begins',
      'a later request ends',
      'later work begins',
      'later work ends',
    ].sort(),
  )
})

test('work that fails lets the next go on', async () => {
  const turns = new AccountTurns()
  const failed = turns.alone('ada', () => Promise.reject(new Error('no')))
  const next = turns.beside('ada', async () => 'served')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('served')
})

test('no more than two hundred requests wait for the work of their account', async () => {
  const turns = new AccountTurns()
  const work = gate()
  const all: Promise<unknown>[] = [turns.alone('ada', () => work.opened)]
  for (let count = 1; count < 200; count++) all.push(turns.beside('ada', async () => {}))
  await expect(turns.beside('ada', async () => {})).rejects.toThrow(QueueTooLong)
  work.open()
  await Promise.all(all)
  await turns.beside('ada', async () => {})
})
