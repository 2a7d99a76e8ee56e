import { type IncomingHttpHeaders, request as requestPlain } from 'node:http'
import { request as requestSafely } from 'node:https'
import { AddressRefused, checkedAddresses, type OutgoingRule, pinnedTo } from './addresses.ts'

export type OutgoingRequest = {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  /** The whole of it, in milliseconds: name, connection and answer. */
  timeLimit: number
  /** Of the answer; what is longer is not read. */
  mostBytes: number
  signal?: AbortSignal
}

export type OutgoingAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The answer was longer than was read. */
  isCut: boolean
}

/** The request took longer than its time limit. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/**
 * A request to an address that a user chose, under the rule of {@link checkedAddresses}. Redirects are not followed: the
 * answer is theirs.
 */
export async function requestOutgoing(
  asked: OutgoingRequest,
  rule: OutgoingRule,
): Promise<OutgoingAnswer> {
  const url = new URL(asked.url)
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new AddressRefused('The address is not valid.')
  }
  // Ports below 1024 belong to other services, which may take a request for their own commands.
  const port = Number(url.port || 443)
  if (port < 1024 && port !== 80 && port !== 443 && !rule.allowPrivate) {
    throw new AddressRefused('The address has a port that is not for the web.')
  }
  const late = AbortSignal.timeout(asked.timeLimit)
  const signal = asked.signal ? AbortSignal.any([late, asked.signal]) : late
  try {
    const addresses = await orAborted(checkedAddresses(url.hostname, rule), signal)
    return await send(url, asked, { lookup: pinnedTo(addresses), signal })
  } catch (error) {
    throw late.aborted && !(error instanceof AddressRefused) ? new TooSlow('No answer.') : error
  }
}

type SocketOptions = { lookup: ReturnType<typeof pinnedTo>; signal: AbortSignal }

function send(
  url: URL,
  { method, headers = {}, body = '', mostBytes }: OutgoingRequest,
  { lookup, signal }: SocketOptions,
): Promise<OutgoingAnswer> {
  const open = url.protocol === 'https:' ? requestSafely : requestPlain
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method,
      headers: {
        ...headers,
        ...(method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
      },
      lookup,
      signal,
      // A connection of its own, which nothing else can have opened.
      agent: false,
    })
    request.on('error', reject)
    // Without a listener a socket that is handed over to another protocol is destroyed, and nothing else is heard of it.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('The answer changes to another protocol.'))
    })
    // Whatever else ends it without an answer; after one this changes nothing.
    request.on('close', () => reject(new Error('The connection was closed without an answer.')))
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      const end = (isCut: boolean) => {
        const whole = Buffer.concat(parts).subarray(0, mostBytes)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: whole,
          isCut,
        })
      }
      response.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size <= mostBytes) return
        end(true)
        request.destroy()
      })
      response.on('end', () => end(false))
      response.on('error', reject)
    })
    request.end(body)
  })
}

/** `node:dns` cannot be interrupted. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
