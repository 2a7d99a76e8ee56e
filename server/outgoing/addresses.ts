import { lookup as lookupName } from 'node:dns/promises'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/** One address of a host. */
export type Address = { address: string; family: number }

/**
 * Whether users may make the server connect to private addresses, and how names are resolved (`node:dns`, if not said).
 */
export type OutgoingRule = {
  allowPrivate: boolean
  resolve?(name: string): Promise<Address[]>
}

/** The host leads to where users may not send the server. The message can be shown. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
}

/** The name cannot be resolved. */
export class NameUnknown extends Error {
  override name = 'NameUnknown'
}

/** What is no address of the internet: the machine itself, local networks, documentation, multicast, reserved. */
const privateRanges = new BlockList()
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Of these, some hold an IPv4 address that a gateway would unpack.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [network = '', bits] = range.split('/')
  privateRanges.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
}

/** All addresses of IPv6 that are given out; a list of the others would miss some. */
const publicIPv6 = new BlockList()
publicIPv6.addSubnet('2000::', 3, 'ipv6')

/** IPv4 addresses written as IPv6, such as `::ffff:10.0.0.1`. */
const mappedIPv4 = new BlockList()
mappedIPv4.addSubnet('::ffff:0:0', 96, 'ipv6')

function isPrivate(address: string): boolean {
  if (!isIPv6(address)) return privateRanges.check(address, 'ipv4')
  // Without its zone: `fe80::1%eth0`.
  const [bare = ''] = address.split('%')
  // A BlockList compares such an address with its ranges of IPv4.
  if (mappedIPv4.check(bare, 'ipv6')) return privateRanges.check(bare, 'ipv6')
  return !publicIPv6.check(bare, 'ipv6') || privateRanges.check(bare, 'ipv6')
}

/**
 * The one rule on where users may send the server: to addresses of the internet, not into its own network. Whoever
 * connects to a host that a user chose (webhooks, mail servers, pictures in mails) asks here first, and then connects to
 * one of these addresses and to no other: with {@link pinnedTo} as `lookup`, or to the address itself. Resolved a second
 * time, a name could lead elsewhere. One private address among several is enough to refuse the host.
 *
 * @param host a name or an address, in any spelling that a URL allows; IPv6 with or without brackets
 * @throws {AddressRefused}, {NameUnknown}
 */
export async function checkedAddresses(host: string, rule: OutgoingRule): Promise<Address[]> {
  const name = plainHost(host)
  const family = isIP(name)
  const found = family ? [{ address: name, family }] : await resolved(name, rule)
  if (!rule.allowPrivate && found.some(({ address }) => isPrivate(address))) {
    throw new AddressRefused('The address leads into a private network.')
  }
  return found
}

/** As a URL reads it: 2130706433, 0x7f.1 and 0177.0.0.1 are all 127.0.0.1. */
function plainHost(host: string): string {
  const written = isIPv6(host) ? `[${host}]` : host
  // A URL would leave out line breaks.
  if (/[\s\p{Cc}]/u.test(host) || !URL.canParse(`http://${written}/`)) {
    throw new AddressRefused('The address is not valid.')
  }
  const { hostname, pathname, username, port } = new URL(`http://${written}/`)
  if (pathname !== '/' || username !== '' || port !== '' || hostname === '') {
    throw new AddressRefused('The address is not valid.')
  }
  return hostname.replace(/^\[|\]$/g, '')
}

async function resolved(name: string, { resolve = resolveName }: OutgoingRule): Promise<Address[]> {
  const found = await resolve(name).catch(() => [])
  if (found.length === 0) throw new NameUnknown('The name of the server is not known.')
  return found
}

function resolveName(name: string): Promise<Address[]> {
  return lookupName(name, { all: true })
}

/**
 * Connects to the first of these addresses where somebody answers: a name may lead to one that is gone, or that this
 * machine cannot reach. What a server answered is its answer; no other is asked then.
 */
export async function firstThatAnswers<Connection>(
  addresses: readonly Address[],
  connect: (address: Address) => Promise<Connection>,
): Promise<Connection> {
  let problem: unknown = new NameUnknown('The name of the server is not known.')
  // So many that a user does not wait for minutes.
  for (const address of addresses.slice(0, 4)) {
    try {
      return await connect(address)
    } catch (error) {
      if (!isUnanswered(error)) throw error
      problem = error
    }
  }
  throw problem
}

function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall, message } = error as NodeJS.ErrnoException
  return syscall === 'connect' || code === 'CONNECT_TIMEOUT' || message === 'Connection timeout'
}

/** For sockets: every name is resolved to these addresses. */
export function pinnedTo(addresses: Address[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}
