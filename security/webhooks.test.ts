import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Person, signUp } from './attacker.ts'
import { everythingOf, makeVictim, type Victim } from './victim.ts'

type Delivery = { id: string; status: string; problem: string | null; tries: number }

let port = 0
let visits = 0
const servers = ['127.0.0.1', '::1'].map((host) => ({
  host,
  server: createServer((_request, response) => {
    visits += 1
    response.end('secret of the inside')
  }),
}))
let eve: Person
let victim: Victim

beforeAll(async () => {
  for (const { host, server } of servers) {
    // On both addresses under one port, so that every spelling could find it.
    await new Promise<void>((resolve) => void server.listen(port, host, resolve))
    port = (server.address() as AddressInfo).port
  }
  eve = await signUp()
  victim = await makeVictim()
})
afterAll(() => {
  for (const { server } of servers) server.close()
})

async function newHook(owner: Person, url: string): Promise<string> {
  const { data, error } = await owner.client.rpc('create_webhook', { url, events: ['created'] })
  expect(error).toBeNull()
  return String(Reflect.get(Object(data), 'id'))
}

const deliveriesOf = async ({ client }: Person, webhook: string) =>
  ((await client.rpc('webhook_deliveries', { webhook })).data ?? []) as Delivery[]

describe('the server asks nobody inside its own network', () => {
  test.each([
    ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', '[::]'],
    ...['2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.1', '127.000.000.001'],
    // A name, as the real resolver knows it.
    ...['localhost', 'LOCALHOST'],
  ])('%s, where somebody listens, is refused and told in words', async (host) => {
    const id = await newHook(eve, `http://${host}:${port}/`)
    expect((await eve.client.rpc('test_webhook', { id })).error).toBeNull()
    const [delivery] = await vi.waitFor(async () => {
      const list = await deliveriesOf(eve, id)
      expect(list).toMatchObject([{ status: 'failed' }])
      return list
    }, 30_000)
    expect(delivery).toMatchObject({
      problem: 'The address leads into a private network.',
      tries: 1,
    })
    expect(JSON.stringify(delivery)).not.toContain('secret of the inside')
    expect(visits).toBe(0)
    await eve.client.rpc('delete_webhook', { id })
  })

  test.each([
    ...['169.254.169.254', '10.0.0.1', '192.168.1.1', '172.16.0.1', '100.64.0.1'],
    ...['[fe80::1]', '[fd00::1]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]', '2852039166'],
  ])('%s is refused at once, not after a wait for an answer', async (host) => {
    const id = await newHook(eve, `http://${host}/latest/meta-data/`)
    await eve.client.rpc('test_webhook', { id })
    await vi.waitFor(
      async () =>
        expect(await deliveriesOf(eve, id)).toMatchObject([
          { status: 'failed', problem: 'The address leads into a private network.' },
        ]),
      10_000,
    )
    await eve.client.rpc('delete_webhook', { id })
  })
})

test('another account’s ids do nothing, with any function', async () => {
  const id = await newHook(victim, 'https://hooks.invalid/')
  await victim.client.rpc('test_webhook', { id })
  const [delivery] = await deliveriesOf(victim, id)
  const before = await everythingOf(victim)
  const url = `http://127.0.0.1:${port}/`
  const answers = await Promise.all([
    eve.client.rpc('change_webhook', { id, url, events: ['created'] }),
    eve.client.rpc('pause_webhook', { id, pause: true }),
    eve.client.rpc('renew_webhook_secret', { id }),
    eve.client.rpc('test_webhook', { id }),
    eve.client.rpc('send_webhook_again', { delivery: delivery?.id ?? '' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  await eve.client.rpc('delete_webhook', { id })
  expect(await deliveriesOf(eve, id)).toEqual([])
  const { data } = await victim.client.rpc('webhooks')
  expect(data).toMatchObject([{ id, url: 'https://hooks.invalid/', is_paused: false }])
  expect(await everythingOf(victim)).toEqual(before)
})

test('secrets, jobs and deliveries are no tables of the interface', async () => {
  for (const name of ['webhook_secrets', 'webhook_deliveries', 'webhooks', 'jobs']) {
    const { status } = await eve.client.from(name as 'contacts').select()
    expect(status).toBe(404)
  }
})
