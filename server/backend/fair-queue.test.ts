import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FairQueue, QueueTooLong } from './fair-queue.ts'

// No real clock: whoever still waits at the end of a test would give up a minute later, in another file.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Everybody who is let in, in this order; each leaves when told to. */
function watched(queue: FairQueue) {
  const served: string[] = []
  const leave: (() => void)[] = []
  const come = (who: string, name = who) =>
    queue.acquire({ who }).then((release) => {
      served.push(name)
      leave.push(release)
    })
  const next = async () => {
    leave.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { served, come, next }
}

test('an account’s many requests do not stand before another’s one', async () => {
  const queue = new FairQueue({ parallel: 1, mostOfOne: 100, mostOfAll: 1000, patience: 60_000 })
  const { served, come, next } = watched(queue)
  await come('ada', 'ada 0')
  for (let n = 1; n <= 50; n++) void come('ada', `ada ${n}`)
  void come('bob', 'bob 1')
  void come('cleo', 'cleo 1')
  void come('bob', 'bob 2')
  for (let n = 0; n < 6; n++) await next()
  expect(served).toEqual(['ada 0', 'ada 1', 'bob 1', 'cleo 1', 'ada 2', 'bob 2', 'ada 3'])
  expect(queue.waiting).toBe(47)
})

test('as many are served at once as there are seats, and a seat is given back once', async () => {
  const queue = new FairQueue({ parallel: 2, mostOfOne: 10, mostOfAll: 10, patience: 60_000 })
  const first = await queue.acquire({ who: 'ada' })
  await queue.acquire({ who: 'ada' })
  const { served, come } = watched(queue)
  void come('ada', 'third')
  void come('ada', 'fourth')
  first()
  first()
  await new Promise((resolve) => setImmediate(resolve))
  expect(served).toEqual(['third'])
})

test('a queue that is too long refuses, the account’s own first', async () => {
  const queue = new FairQueue({ parallel: 1, mostOfOne: 2, mostOfAll: 3, patience: 60_000 })
  const { served, come, next } = watched(queue)
  await come('ada')
  void come('ada')
  void come('ada')
  await expect(come('ada')).rejects.toThrow(QueueTooLong)
  void come('bob')
  await expect(come('cleo')).rejects.toThrow(QueueTooLong)
  await next()
  void come('cleo')
  await next()
  await next()
  await next()
  expect(served).toEqual(['ada', 'ada', 'bob', 'ada', 'cleo'])
})

test('nobody waits for ever, but for the server’s own work', async () => {
  const queue = new FairQueue({ parallel: 1, mostOfOne: 1, mostOfAll: 1, patience: 10_000 })
  const release = await queue.acquire({ who: 'ada' })
  const impatient = expect(queue.acquire({ who: 'ada' })).rejects.toThrow(QueueTooLong)
  const own = queue.acquire({ who: 'the server', isOwn: true })
  vi.advanceTimersByTime(10_000)
  await impatient
  expect(queue.waiting).toBe(1)
  release()
  const next = await own
  // The one that gave up is not called any more.
  const waiting = queue.acquire({ who: 'bob' })
  next()
  await waiting
})
