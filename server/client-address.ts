import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { HttpEnv } from './http-env.ts'

/** The other end of the socket: the browser, or the proxy nearest to us. */
export function peerAddress(c: Context<HttpEnv>): string | null {
  return c.env?.incoming?.socket.remoteAddress ?? null
}

/**
 * The address for rate limits. Anyone can send X-Forwarded-For, so only the entries that our own proxies appended
 * count: the n-th from the right with n trusted proxies. With a shorter or malformed header the request did not
 * come through them, and the socket's address counts.
 */
export function clientAddress(c: Context<HttpEnv>, trustedProxies: number): string {
  return addressIn(peerAddress(c), c.req.header('x-forwarded-for'), trustedProxies)
}

/** The address for rate limits of a request that opens a WebSocket, which does not pass through the routes. */
export function addressOfRequest(request: IncomingMessage, trustedProxies: number): string {
  const { 'x-forwarded-for': forwarded } = request.headers
  const hops = Array.isArray(forwarded) ? forwarded.join() : forwarded
  return addressIn(request.socket.remoteAddress ?? null, hops, trustedProxies)
}

function addressIn(
  socketAddress: string | null,
  forwarded: string | undefined,
  trustedProxies: number,
): string {
  const peer = socketAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const hops = (forwarded ?? '').split(',')
  const claimed = hops.at(-trustedProxies)?.trim() ?? ''
  return isIP(claimed) ? claimed : peer
}

/**
 * The key of an address for rate limits. One client owns a whole IPv6 /64, so all of it counts as one; IPv4 written
 * as IPv6 counts as IPv4.
 */
export function limitKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(gap, 0)).fill('0'), ...right]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
