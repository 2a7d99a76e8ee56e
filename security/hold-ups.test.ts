import { expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { ask, signUp } from './attacker.ts'

async function restarts(): Promise<unknown> {
  const { json } = await ask('/health')
  return (json as { restarts: number }).restarts
}

/** All of them, eight at a time. */
async function flood(count: number, one: () => Promise<void>): Promise<void> {
  const line = Array.from({ length: 8 }, async () => {
    for (let sent = 0; sent < count / 8; sent++) await one()
  })
  await Promise.all(line)
}

// That a failure leaves nothing behind is told by the first few: server/backend/embedded/thread.test.ts.
const many = isLong ? 30_000 : 80
const timeout = isLong ? 3_600_000 : 300_000

test(`${many} requests of nobody, and ${many} that the database refuses, stop nothing`, {
  timeout,
}, async () => {
  const before = await restarts()
  await flood(many, async () => {
    expect((await ask('/rest/v1/contacts')).status).toBe(401)
  })
  const { token } = await signUp()
  await flood(many, async () => {
    expect((await ask('/rest/v1/contacts?id=eq.nonsense', { token })).status).toBe(400)
  })
  expect((await ask('/rest/v1/contacts', { token })).json).toEqual([])
  expect(await restarts()).toBe(before)
})

test('while one account’s pattern is compared with all it has written, everybody else is served', async () => {
  const [slow, other] = [await signUp(), await signUp()]
  const { data: contact } = await slow.client
    .from('contacts')
    .insert({ first_name: 'Ada' })
    .select('id')
    .single()
  const body = 'a'.repeat(50_000)
  const notes = Array.from({ length: 40 }, () => ({ body, contact_id: contact?.id }))
  expect((await slow.client.from('notes').insert(notes)).error).toBeNull()

  const tooLong = `/rest/v1/notes?body=like.*${'a'.repeat(7000)}b*`
  expect((await ask(tooLong, { token: slow.token })).status).toBe(400)

  const ended: string[] = []
  const note = (name: string) => () => void ended.push(name)
  const costly = `/rest/v1/notes?select=id&body=ilike.*${'a'.repeat(190)}b*`
  const asked = ask(costly, { token: slow.token })
  await Promise.all([
    asked.then(note('the pattern')),
    ask('/privacy').then(note('a page')),
    ask('/rest/v1/companies').then(note('a stranger')),
  ])
  expect(ended.at(-1)).toBe('the pattern')
  // Either it was done in time, or it was stopped in words.
  const { status, json } = await asked
  expect([200, 503]).toContain(status)
  if (status === 503) expect(json).toMatchObject({ code: '57014' })
  expect((await ask('/rest/v1/companies', { token: other.token })).status).toBe(200)
})
