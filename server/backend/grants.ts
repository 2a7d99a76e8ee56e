import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Scope } from '#domain/access-token.ts'
import type { RequestConnection } from './connections.ts'
import type { Keys } from './keys.ts'
import { serverCalls } from './server-calls.ts'

const client = z.object({ id: z.string(), name: z.string(), redirect_uris: z.array(z.string()) })

/** A program that introduced itself. Nothing about it is verified. */
export type Client = z.output<typeof client>

const issued = z.union([
  z.object({ scope: z.enum(['read', 'propose', 'write']) }),
  // Unknown: nobody was ever given it, so that it is a guess.
  z.object({ error: z.enum(['unknown', 'used', 'wrong', 'scope']) }),
])

export type Issued = z.output<typeof issued>

type NewTokens = { access: string; refresh: string }

/** What OAuth keeps in the database: of codes and tokens only hashes. All throw `DatabaseAway`. */
export type Grants = {
  /** The id of a new client; null where too many wait. */
  register(name: string, redirectUris: string[]): Promise<string | null>
  client(id: string): Promise<Client | null>
  /** False where the account's list of connections is full. */
  allow(grant: {
    account: string
    client: string
    host: string
    scope: Scope
    redirectUri: string
    challenge: string
    code: string
  }): Promise<boolean>
  exchange(asked: {
    code: string
    client: string
    redirectUri: string | null
    challenge: string
    tokens: NewTokens
  }): Promise<Issued>
  refresh(asked: {
    token: string
    client: string
    scope: Scope | null
    tokens: NewTokens
  }): Promise<Issued>
  revoke(token: string, client: string): Promise<void>
  /** The proof that is sent to `call_with_token` in place of an OAuth access token. */
  tokenAt(token: string): string
}

type Parts = {
  connection: RequestConnection
  keys: Pick<Keys, 'jwtSecret'>
  /** The one address that access tokens are good for. */
  resource: string
  /** How long one statement may take, in milliseconds. */
  limit: number
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function openGrants({ connection, keys, resource, limit }: Parts): Grants {
  const ask = serverCalls(connection, limit)
  const key = createHmac('sha256', keys.jwtSecret).update(`tokens for ${resource}`).digest()

  /**
   * The database knows an access token only by this HMAC, whose key is derived from the server's secret and the
   * resource. So the token works at that resource alone: other routes pass it on as it is, and the database does not
   * know it.
   */
  const tokenAt = (token: string) => createHmac('sha256', key).update(token).digest('hex')
  const accessHash = (token: string) => hashOf(tokenAt(token))

  return {
    async register(name, redirectUris) {
      const list = JSON.stringify(redirectUris)
      return ask(
        'oauth',
        sql`select private.oauth_register(${name},
          array(select jsonb_array_elements_text(${list}::jsonb))) as answer`,
      )
    },
    async client(id) {
      if (!uuid.test(id)) return null
      const found = await ask('oauth', sql`select private.oauth_client(${id}::uuid) as answer`)
      return found === null ? null : client.parse(found)
    },
    allow: (grant) =>
      ask(
        grant.account,
        sql`select private.oauth_allow(${grant.account}::uuid, ${grant.client}::uuid, ${grant.host}, ${grant.scope},
          ${grant.redirectUri}, ${grant.challenge}, ${hashOf(grant.code)}) as answer`,
      ),
    async exchange({ code, client: id, redirectUri, challenge, tokens }) {
      const answer = await ask(
        'oauth',
        sql`select private.oauth_exchange(${hashOf(code)}, ${id}::uuid, ${redirectUri}, ${challenge},
          ${accessHash(tokens.access)}, ${hashOf(tokens.refresh)}) as answer`,
      )
      return issued.parse(answer)
    },
    async refresh({ token, client: id, scope, tokens }) {
      const answer = await ask(
        'oauth',
        sql`select private.oauth_refresh(${hashOf(token)}, ${id}::uuid, ${scope},
          ${accessHash(tokens.access)}, ${hashOf(tokens.refresh)}) as answer`,
      )
      return issued.parse(answer)
    },
    async revoke(token, id) {
      const hashes = `{${hashOf(token)},${accessHash(token)}}`
      await ask(
        'oauth',
        sql`select private.oauth_revoke(${hashes}::text[], ${id}::uuid)::text as answer`,
      )
    },
    tokenAt,
  }
}

/** As `private.hash_of`. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
