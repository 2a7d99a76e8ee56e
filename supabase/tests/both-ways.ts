import { expect } from 'vitest'
import type { Account, TestDatabase } from './harness.ts'

/** A request to `/rest/v1`; with a body it is a POST. */
export type Sent = { path: string; body?: unknown; headers?: Record<string, string> }

/** Any wish about the answer makes the library answer; this one wishes for what it answers anyway. */
const toLibrary = { accept: 'application/json, */*' }

/** Sends a request by the short way, and by both ways to compare the answers. */
export function sender(database: () => TestDatabase) {
  async function send(account: Pick<Account, 'token'>, { path, body, headers }: Sent) {
    const { backend } = database()
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await backend.fetch(
      new Request(`http://127.0.0.1:3000/rest/v1/${path}`, {
        headers: {
          apikey: backend.publicKey,
          authorization: `Bearer ${account.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text === undefined ? {} : { method: 'POST', body: text }),
      }),
      null,
    )
    const answer = await response.text()
    const shown = [...response.headers].filter(
      ([key]) => !key.startsWith('access-control-') && key !== 'content-length',
    )
    return {
      status: response.status,
      headers: Object.fromEntries(shown),
      body: answer === '' ? null : JSON.parse(answer),
      isLibrarys: response.headers.has('access-control-expose-headers'),
      isMeasured: response.headers.get('content-length') === String(Buffer.byteLength(answer)),
    }
  }

  /** The same request by both ways; the answers must not differ. */
  async function both(account: Pick<Account, 'token'>, sent: Sent) {
    const ours = await send(account, sent)
    const { isLibrarys, ...librarys } = await send(account, { ...sent, headers: toLibrary })
    expect(isLibrarys).toBe(true)
    expect(ours).toMatchObject({ ...librarys, isMeasured: ours.isMeasured })
    return ours
  }

  return { send, both }
}
