import type { Json } from '#lib/database.types.ts'
import { type Account, ok } from './harness.ts'
import { add, type SampleTable, table } from './samples.ts'

export const [gold, silver] = ['~aaaaaa1', '~bbbbbb2'] as const
export const options = [
  { id: gold, name: 'Gold', color: 'yellow' },
  { id: silver, name: 'Silver', color: 'gray' },
]

let count = 0

/** What tests do with own fields, as one account does it. */
export function fieldCalls(owner: Account) {
  const { client } = owner
  return {
    /** Makes a field of this kind, by default of contacts, and gives its id. */
    async field(kind: string, values: Record<string, unknown> = {}): Promise<string> {
      count += 1
      const { id } = await add(owner, 'fields', { name: `Field ${count}`, kind, ...values })
      return id
    },
    /** The fields of contacts, in their order. */
    async names(): Promise<string[]> {
      const rows = await ok(
        client.from('fields').select('name').eq('record', 'contacts').order('position'),
      )
      return rows.map(({ name }) => name)
    },
    async write(id: string, custom: Json) {
      await ok(
        client
          .from('contacts')
          .update({ custom } as never)
          .eq('id', id)
          .select(),
      )
    },
    async custom(id: string, name: SampleTable = 'contacts'): Promise<unknown> {
      const [row] = await ok(table(owner, name).select('custom').eq('id', id))
      return row?.custom
    },
    /** The batch of the last change of a row. */
    async lastBatch(id: string): Promise<string> {
      const [last] = await ok(
        client
          .from('changes')
          .select('batch')
          .eq('row_id', id)
          .order('id', { ascending: false })
          .limit(1),
      )
      return last?.batch ?? ''
    },
  }
}
