import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createBackendRoutes } from '#server/backend-routes.ts'
import { readSettings } from '#server/settings.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { callback, oauthCalls } from './oauth-calls.ts'

const origin = 'https://crm.example.com'

type Listed = {
  name: string
  scope: string
  has_ended: boolean
  expires_at: string
  client_host: string | null
}

// What attackers try: security/oauth.test.ts. Here what must hold in both databases.
onAnyDatabase((database) => {
  function serve() {
    const settings = readSettings({ PUBLIC_URL: origin, RATE_LIMIT_SIGN_UP: '1000' })
    const routes = createBackendRoutes({ settings, backend: database().backend })
    return oauthCalls(async (path, init) => routes.fetch(new Request(origin + path, init)), origin)
  }

  async function newOwner() {
    const account = await database().signUp()
    return { ...account, password: 'secret-1' }
  }

  const listOf = async ({ client }: Account) => (await ok(client.rpc('access_tokens'))) as Listed[]

  describe('a program that its owner connects', () => {
    test('stands in the list of connections and works as far as it was allowed', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const tokens = await oauth.connect(owner)
      expect(tokens).toMatchObject({ scope: 'read propose', expires_in: 3600 })
      expect((await oauth.openTools(tokens.access_token)).status).toBe(200)
      expect(await listOf(owner)).toMatchObject([
        { name: 'Claude', scope: 'propose', has_ended: false, client_host: 'assistant.example' },
      ])
      const [row] = await database().query<{ all: string }>(
        `select string_agg(s::text || t::text, ' ') as all
         from private.grant_secrets s join private.access_tokens t on t.id = s.grant_id
         where t.user_id = ?`,
        owner.id,
      )
      for (const secret of [tokens.access_token, tokens.refresh_token]) {
        expect(row?.all).not.toContain(secret.slice(8))
      }
    })

    test('gets one answer also of several processes, which know of each other by the database alone', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const { client, verifier, code } = await oauth.allow(owner)
      const other = await oauth.connect(owner)
      const hash = (text: string) => createHash('sha256').update(text).digest('hex')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const ask = async (call: string, ...values: string[]) => {
        const [row] = await database().query<{ answer: object }>(
          // Not committed at once, so that the others meet it half done.
          `select ${call} as answer, pg_sleep(0.2)::text`,
          ...values,
        )
        return Object.keys(row?.answer ?? {})[0]
      }
      const exchanged = await Promise.all(
        ['a', 'b', 'c'].map((name) =>
          ask(
            'private.oauth_exchange(?, ?::uuid, ?, ?, ?, ?)',
            ...[hash(code), client, callback, challenge, `${code} ${name}`, `${code} r${name}`],
          ),
        ),
      )
      expect(exchanged.sort()).toEqual(['error', 'error', 'scope'])
      const refreshed = await Promise.all(
        ['a', 'b', 'c'].map((name) =>
          ask(
            "private.oauth_refresh(?, ?::uuid, 'read', ?, ?)",
            ...[hash(other.refresh_token), other.client, `${other.client} ${name}`],
            `${other.client} r${name}`,
          ),
        ),
      )
      expect(refreshed.sort()).toEqual(['error', 'error', 'scope'])
    })

    test('gets one answer for what it asks many times at the same moment', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const { client, verifier, code } = await oauth.allow(owner)
      const five = (ask: () => Promise<Response>) => Promise.all(Array.from({ length: 5 }, ask))
      const statuses = (answers: Response[]) => answers.map(({ status }) => status).sort()
      const exchanged = await five(() => oauth.exchange(client, code, verifier))
      expect(statuses(exchanged)).toEqual([200, 400, 400, 400, 400])
      const other = await oauth.connect(owner)
      const refreshed = await five(() => oauth.refresh(other.client, other.refresh_token))
      expect(statuses(refreshed)).toEqual([200, 400, 400, 400, 400])
      expect(await listOf(owner)).toMatchObject([{ has_ended: true }, { has_ended: true }])
    })

    test('is told the code with its state and our name, and leaves no session behind', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const client = await oauth.register()
      const path = oauth.authorizePath(client, oauth.newVerifier().challenge)
      const before = await ok(owner.client.rpc('account_sessions'))
      const { back } = await oauth.decide(path, { email: owner.email, password: owner.password })
      expect(back?.origin + (back?.pathname ?? '')).toBe(callback)
      expect(back?.searchParams.get('state')).toBe('a&b "c"')
      expect(back?.searchParams.get('iss')).toBe(origin)
      expect(back?.searchParams.get('code')).toMatch(/^solo_code_[\w-]{43}$/)
      expect(await ok(owner.client.rpc('account_sessions'))).toEqual(before)
    })

    test('gets new tokens for a refresh token, once; the second time everything ends', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const first = await oauth.connect(owner)
      const response = await oauth.refresh(first.client, first.refresh_token)
      expect(response.status).toBe(200)
      const second = (await response.json()) as typeof first
      expect((await oauth.openTools(second.access_token)).status).toBe(200)
      const again = await oauth.refresh(first.client, first.refresh_token)
      expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
      expect((await oauth.openTools(second.access_token)).status).toBe(401)
      expect((await oauth.refresh(first.client, second.refresh_token)).status).toBe(400)
      expect(await listOf(owner)).toMatchObject([{ has_ended: true }])
    })

    test('has to ask for a new token after an hour, and is gone after thirty days without', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const tokens = await oauth.connect(owner)
      const age = (what: string) =>
        database().query(
          `update private.grant_secrets s set expires_at = s.expires_at - interval '${what}'
           from private.access_tokens t where t.id = s.grant_id and t.user_id = ?`,
          owner.id,
        )
      await age('61 minutes')
      const late = await oauth.openTools(tokens.access_token)
      expect([late.status, (await late.json()).code]).toEqual([401, 'expired_token'])
      expect(await listOf(owner)).toMatchObject([{ has_ended: false, refused_at: null }])
      const renewed = await oauth.refresh(tokens.client, tokens.refresh_token)
      const { access_token, refresh_token } = (await renewed.json()) as typeof tokens
      expect((await oauth.openTools(access_token)).status).toBe(200)
      const [listed] = await listOf(owner)
      const left = Date.parse(listed?.expires_at ?? '') - Date.now()
      expect(Math.round(left / 86_400_000)).toBe(30)
      await age('30 days')
      expect((await oauth.refresh(tokens.client, refresh_token)).status).toBe(400)
    })

    test.each([
      ['Revoke', (owner: Account) => owner.client.rpc('revoke_access_tokens')],
      [
        'deleting the account',
        (owner: Account) => owner.client.rpc('delete_account', { address: owner.email }),
      ],
    ])('ends at once by %s, with codes that are under way', async (_, end) => {
      const owner = await newOwner()
      const oauth = serve()
      const tokens = await oauth.connect(owner)
      const { client, verifier, code } = await oauth.allow(owner)
      expect((await end(owner)).error).toBeNull()
      expect((await oauth.openTools(tokens.access_token)).status).toBe(401)
      expect((await oauth.refresh(tokens.client, tokens.refresh_token)).status).toBe(400)
      expect((await oauth.exchange(client, code, verifier)).status).toBe(400)
    })

    test('can end it itself by either token', async () => {
      const owner = await newOwner()
      const oauth = serve()
      for (const kind of ['access_token', 'refresh_token'] as const) {
        const tokens = await oauth.connect(owner)
        const { client, access_token } = tokens
        expect((await oauth.revoke({ client_id: client, token: tokens[kind] })).status).toBe(200)
        expect((await oauth.openTools(access_token)).status).toBe(401)
      }
    })

    test('writes under its name, and only proposes when that is what was allowed', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const { access_token } = await oauth.connect(owner, { scope: 'write' })
      await oauth.callTool(access_token, 'save_company', { fields: { name: 'Acme' } })
      expect(await ok(owner.client.from('companies').select('name'))).toEqual([{ name: 'Acme' }])
      const { rows } = (await ok(owner.client.rpc('history_page'))) as unknown as {
        rows: { by: string | null }[]
      }
      expect(rows[0]?.by).toBe('Claude')
      const careful = await oauth.connect(owner)
      await oauth.callTool(careful.access_token, 'save_company', { fields: { name: 'Beta' } })
      expect(await ok(owner.client.from('companies').select('name'))).toHaveLength(1)
      expect(await ok(owner.client.rpc('proposals'))).toMatchObject([{ by: 'Claude' }])
    })
  })

  describe('what is kept', () => {
    test('of programs that nobody allowed anything is gone after a day, of others it stays', async () => {
      const owner = await newOwner()
      const oauth = serve()
      const unused = await oauth.register()
      const { client: used } = await oauth.connect(owner)
      await database().query(
        "update private.oauth_clients set created_at = now() - interval '25 hours' where id in (?, ?)",
        unused,
        used,
      )
      await oauth.register()
      const left = await database().query<{ id: string }>(
        'select id from private.oauth_clients where id in (?, ?)',
        unused,
        used,
      )
      expect(left.map(({ id }) => id)).toEqual([used])
    })

    test('has an end: a thousand programs that nobody used, a hundred connections', async () => {
      const owner = await newOwner()
      const oauth = serve()
      await database().query(
        `insert into private.oauth_clients (name, redirect_uris)
         select 'Flood', '{https://flood.example/}' from generate_series(1, 1000)`,
      )
      expect(await oauth.register()).toBeUndefined()
      await database().query(
        "update private.oauth_clients set created_at = now() - interval '2 hours' where name = 'Flood'",
      )
      const client = await oauth.register()
      expect(client).toMatch(/^[0-9a-f-]{36}$/)
      await database().query(
        `insert into private.access_tokens (user_id, name, hash, scope)
         select ?::uuid, 'Many', md5(random()::text), 'read' from generate_series(1, 100)`,
        owner.id,
      )
      const path = oauth.authorizePath(client, oauth.newVerifier().challenge)
      const { response, page } = await oauth.decide(path, {
        email: owner.email,
        password: owner.password,
      })
      expect(response.status).toBe(409)
      expect(page).toContain('There are 100 connections already. Nothing was connected')
    })
  })
})
