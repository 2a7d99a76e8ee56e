import { expect, test } from 'vitest'
import { AccountLock } from './account-lock.ts'
import { QueueTooLong } from './fair-queue.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('work waits for requests under way, later ones wait for the work, and other accounts for nothing', async () => {
  const lock = new AccountLock()
  const told: string[] = []
  const [request, work] = [gate(), gate()]
  const tell = (words: string, until?: Promise<void>) => async () => {
    told.push(`${words} begins`)
    await until
    told.push(`${words} ends`)
  }
  const all = [
    lock.shared('ada', tell('a request', request.opened)),
    lock.exclusive('ada', tell('work', work.opened)),
    lock.shared('ada', tell('a later request')),
    lock.exclusive('ada', tell('later work')),
  ]
  await lock.shared('grace', tell("another's"))
  expect(told).toEqual(['a request begins', "another's begins", "another's ends"])
  request.open()
  await all[0]
  await lock.shared('grace', async () => {})
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
  const lock = new AccountLock()
  const failed = lock.exclusive('ada', () => Promise.reject(new Error('no')))
  const next = lock.shared('ada', async () => 'served')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('served')
})

test('no more than two hundred requests wait for the work of their account', async () => {
  const lock = new AccountLock()
  const work = gate()
  const all: Promise<unknown>[] = [lock.exclusive('ada', () => work.opened)]
  for (let count = 1; count < 200; count++) all.push(lock.shared('ada', async () => {}))
  await expect(lock.shared('ada', async () => {})).rejects.toThrow(QueueTooLong)
  work.open()
  await Promise.all(all)
  await lock.shared('ada', async () => {})
})
