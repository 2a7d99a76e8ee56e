import { createHash, randomBytes } from 'node:crypto'

type Send = (path: string, init?: RequestInit) => Promise<Response>

export const callback = 'https://assistant.example/callback'

/** What tests need of OAuth, step by step, as a program and the browser of its user would do it. */
export function oauthCalls(send: Send, origin: string) {
  const form = (values: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(values).toString(),
  })

  async function register(more: object = {}): Promise<string> {
    const response = await send('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Claude', redirect_uris: [callback], ...more }),
    })
    const { client_id } = (await response.json()) as { client_id: string }
    return client_id
  }

  function newVerifier() {
    const verifier = randomBytes(32).toString('base64url')
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
  }

  function authorizePath(client: string, challenge: string, more: Record<string, string> = {}) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client,
      redirect_uri: callback,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'a&b "c"',
      resource: `${origin}/mcp`,
      ...more,
    })
    return `/oauth/authorize?${query}`
  }

  /** What the consent page answers to its form. */
  async function decide(
    path: string,
    values: Record<string, string>,
    headers: Record<string, string> = { origin, 'sec-fetch-site': 'same-origin' },
  ) {
    const sent = form({ decision: 'allow', scope: 'propose', ...values })
    const response = await send(path, { ...sent, headers: { ...sent.headers, ...headers } })
    const page = await response.text()
    return { response, page, back: backOf(page) }
  }

  const token = (values: Record<string, string>) => send('/oauth/token', form(values))
  const revoke = (values: Record<string, string>) => send('/oauth/revoke', form(values))

  async function exchange(client: string, code: string, verifier: string, more = {}) {
    return token({
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: callback,
      ...more,
    })
  }

  const refresh = (client: string, refresh_token: string, more = {}) =>
    token({ grant_type: 'refresh_token', client_id: client, refresh_token, ...more })

  /** A code that its owner has allowed. */
  async function allow(owner: { email: string; password: string }, more = {}, asked = {}) {
    const client = await register()
    const { verifier, challenge } = newVerifier()
    const path = authorizePath(client, challenge, asked)
    const { email, password } = owner
    const { back } = await decide(path, { email, password, ...more })
    return { client, verifier, code: back?.searchParams.get('code') ?? '' }
  }

  /** The tokens of a program that is connected. */
  async function connect(owner: { email: string; password: string }, more = {}) {
    const { client, verifier, code } = await allow(owner, more)
    const response = await exchange(client, code, verifier)
    return { client, ...((await response.json()) as Tokens) }
  }

  const speak = (accessToken: string, method: string, params: object, path = '/mcp') =>
    send(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })

  /** The first request of the protocol: 200 for whoever has a token. */
  const openTools = (accessToken: string, path = '/mcp') => {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    return speak(accessToken, 'initialize', params, path)
  }

  /** The tool has done its work when its answer ends. */
  const callTool = async (accessToken: string, name: string, args: object) =>
    (await speak(accessToken, 'tools/call', { name, arguments: args })).text()

  return {
    register,
    newVerifier,
    authorizePath,
    decide,
    exchange,
    refresh,
    token,
    revoke,
    allow,
    connect,
    openTools,
    callTool,
  }
}

type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number }

/** Where a page sends the browser. */
function backOf(page: string): URL | null {
  const [, address] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(page) ?? []
  return address ? new URL(address.replaceAll('&amp;', '&').replaceAll('&#39;', "'")) : null
}
