import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { png, upload } from './file-calls.ts'
import { type Account, ok } from './harness.ts'

export type Part = { kind: string; lines: string[] }
/** A backup of the account, as the browser reads it. */
export async function backUp(account: Pick<Account, 'client'>): Promise<Part[]> {
  const counts: unknown = await ok(account.client.rpc('backup_counts'))
  const parts: Part[] = []
  for (const { kind } of counts as { kind: string }[]) {
    const lines: string[] = []
    let after: string | null = null
    do {
      const args = after ? { kind, after } : { kind }
      const answer: unknown = await ok(account.client.rpc('backup_page', args))
      const page = answer as { lines: string; count: number; next: string | null }
      const read = page.lines === '' ? [] : page.lines.split('\n')
      expect(read).toHaveLength(page.count)
      lines.push(...read)
      after = page.next
    } while (after)
    parts.push({ kind, lines })
  }
  return parts
}

export type RestoreOptions = {
  account?: string
  id?: string
  perPart?: number
  about?: string
  version?: number
  /** What files hold was not sent. */
  lacksContents?: boolean
}

/** Sends a backup and has it written, as the browser does. */
export async function sendBackup(
  to: Pick<Account, 'client'>,
  parts: Part[],
  options: RestoreOptions = {},
) {
  const { account, id = randomUUID(), perPart = 7, about = 'backup.zip', version = 1 } = options
  // The browser sends what files hold first; those of the samples hold all the same.
  if (
    !options.lacksContents &&
    parts.some(({ kind, lines }) => kind === 'files' && lines.length > 0)
  ) {
    await ok(to.client.rpc('finish_upload', { sha256: await upload(to, png) }))
  }
  const tables = Object.fromEntries(parts.map(({ kind, lines }) => [kind, lines.length]))
  const started = await to.client.rpc('start_restore', {
    id,
    version,
    tables,
    about,
    ...(account ? { account } : {}),
  })
  expect(started.error).toBeNull()
  for (const { kind, lines } of parts) {
    for (let first = 0; first < lines.length; first += perPart) {
      const args = { restore: id, kind, part: first / perPart }
      const answer = await to.client.rpc('add_restore_rows', {
        ...args,
        lines: lines.slice(first, first + perPart).join('\n'),
      })
      if (answer.error) return answer
    }
  }
  return to.client.rpc('finish_restore', { restore: id })
}
