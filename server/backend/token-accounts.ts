import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { limitKey } from '../client-address.ts'
import type { RequestConnection } from './connections.ts'
import { withShare } from './request-share.ts'

/** In milliseconds: a token is looked up no more often. Whether it still works is decided with each call. */
const remembered = 60_000
const mostTokens = 10_000

/**
 * Tells in which account an access token works, so that what many tokens of one account ask for counts together, and waits
 * in one line.
 * @param limit how long one statement may take, in milliseconds
 */
export function tokenAccounts({ kysely }: Pick<RequestConnection, 'kysely'>, limit: number) {
  const known = new Map<string, { account: string; until: number }>()

  async function lookUp(hash: string): Promise<string | null> {
    const { rows } = await sql<{ account: string }>`
      select t.user_id::text as account from private.access_tokens t
      where not private.has_ended(t) and (t.hash = ${hash} or t.id = (
        select s.grant_id from private.grant_secrets s where s.hash = ${hash} and s.kind = 'access'
      ))`.execute(kysely)
    return rows[0]?.account ?? null
  }

  return async (token: string, client: string): Promise<string | null> => {
    if (token === '' || token.length > 200) return null
    const hash = createHash('sha256').update(token).digest('hex')
    const found = known.get(hash)
    if (found && found.until > Date.now()) return found.account
    known.delete(hash)
    // A failure is ignored here: the call that follows fails for the same reason, and answers with it.
    const account = await withShare({ who: limitKey(client), limit }, () => lookUp(hash)).catch(
      () => null,
    )
    if (account) known.set(hash, { account, until: Date.now() + remembered })
    const [oldest] = known.keys()
    if (known.size > mostTokens && oldest !== undefined) known.delete(oldest)
    return account
  }
}
