import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keys } from '../backend/keys.ts'

/** The links in agendas with which they are turned off. */
export type AgendaLinks = {
  pathFor(account: string): string
  /** Whose agenda a path turns off; null where this server has not written it. */
  accountAt(path: string): string | null
}

const shape = /^\/agenda\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w-]{43})$/

/** The proof is a signature: nothing is stored, and the link of an old mail still works. */
export function agendaLinks({ jwtSecret }: Pick<Keys, 'jwtSecret'>): AgendaLinks {
  // Another key than that of the tokens, so that no proof can be taken for one.
  const key = createHmac('sha256', jwtSecret).update('links of agendas').digest()
  const proofOf = (account: string) => createHmac('sha256', key).update(account).digest('base64url')
  return {
    pathFor: (account) => `/agenda/${account}/${proofOf(account)}`,
    accountAt(path) {
      const [, account = '', given = ''] = shape.exec(path) ?? []
      const isOurs = timingSafeEqual(
        Buffer.from(proofOf(account)),
        Buffer.from(given.padEnd(43).slice(0, 43)),
      )
      return account && isOurs ? account : null
    },
  }
}
