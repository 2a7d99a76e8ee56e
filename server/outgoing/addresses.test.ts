import { expect, test } from 'vitest'
import { type Address, checkedAddresses, pinnedTo } from './addresses.ts'

const strict = { allowPrivate: false }
const to = (...addresses: string[]) => ({
  ...strict,
  resolve: async (): Promise<Address[]> =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})

const refused = [
  ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.0.0.1', '198.18.0.1', '224.0.0.1'],
  ...['255.255.255.255', '240.0.0.1', '203.0.113.7'],
  ...['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1'],
  ...['fe80::1', 'fc00::1', 'fd12:3456::1', 'fec0::1', 'ff02::1', '64:ff9b::7f00:1'],
  ...['2002:7f00:1::', '2001::1', '2001:db8::1', '::ffff:0:127.0.0.1'],
]
/** Other spellings of 127.0.0.1, 10.0.0.1 and ::1. */
const spellings = [
  ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.', '①②⑦.0.0.1'],
  ...['012.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:0:0:1]'],
]

test.each([...refused, ...spellings])('%s is refused', async (host) => {
  await expect(checkedAddresses(host, strict)).rejects.toMatchObject({
    name: 'AddressRefused',
    message: 'The address leads into a private network.',
  })
})

test.each(refused)(
  'a name that leads to %s is refused, also as one of several',
  async (address) => {
    for (const rule of [to(address), to('93.184.216.34', address), to(address, '2606:4700::1')]) {
      await expect(checkedAddresses('innocent.example', rule)).rejects.toThrow('private network')
    }
  },
)

test('the name of this machine is refused, by its real addresses', async () => {
  await expect(checkedAddresses('localhost', strict)).rejects.toThrow('private network')
})

test.each([
  ...['93.184.216.34', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2a00:1450:4001:800::200e', '::ffff:1.1.1.1'],
])('%s is an address of the internet', async (host) => {
  const found = await checkedAddresses(host, strict)
  expect(found).toHaveLength(1)
  expect(await checkedAddresses('name.example', to(host))).toMatchObject([{ address: host }])
})

test.each(['', ' ', 'a b', 'user@example.com', 'example.com:25', 'example.com/path', 'exa\nmple'])(
  '%j is no host',
  async (host) => {
    await expect(checkedAddresses(host, to('1.1.1.1'))).rejects.toThrow('not valid')
  },
)

test('a name that nobody knows is told apart', async () => {
  await expect(checkedAddresses('nobody.example', to())).rejects.toMatchObject({
    name: 'NameUnknown',
  })
})

test('where the setting allows it, private addresses are reached', async () => {
  expect(await checkedAddresses('127.0.0.1', { allowPrivate: true })).toEqual([
    { address: '127.0.0.1', family: 4 },
  ])
})

test('a socket connects to what was checked, whatever its name leads to by then', async () => {
  const lookup = pinnedTo(await checkedAddresses('rebinding.example', to('1.1.1.1', '2606::1')))
  const all = await new Promise((resolve) =>
    lookup('rebinding.example', { all: true }, (_error, found) => resolve(found)),
  )
  expect(all).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606::1', family: 6 },
  ])
  const one = await new Promise((resolve) =>
    lookup('rebinding.example', {}, (_error, address, family) => resolve([address, family])),
  )
  expect(one).toEqual(['1.1.1.1', 4])
})
