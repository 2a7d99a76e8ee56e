import { randomUUID } from 'node:crypto'
import type { Database } from '#lib/database.types.ts'
import { expect, type User } from './fixtures.ts'

type Tables = Database['public']['Tables']
type Kind = 'companies' | 'contacts' | 'deals' | 'pipelines' | 'tasks'

/** Writes a row of the user's own and tells its id. */
export async function addRow<Name extends Kind>(
  user: User,
  table: Name,
  row: Tables[Name]['Insert'],
): Promise<string> {
  // All kinds have an id, so one table stands for all here; `Name` already checks the row against its own table.
  const rows = user.client.from(table as 'companies')
  const { data, error } = await rows
    .insert(row as Tables['companies']['Insert'])
    .select('id')
    .single()
  expect(error).toBeNull()
  return data?.id ?? ''
}

let made = 0

/**
 * Rows for one request, with ids that rise: they are all of the same moment, and of those the one with the highest
 * id counts as the newest.
 */
export function inOrder<Row extends object>(rows: Row[]): (Row & { id: string })[] {
  return rows.map((row) => {
    made += 1
    return { ...row, id: `${String(made).padStart(8, '0')}${randomUUID().slice(8)}` }
  })
}
