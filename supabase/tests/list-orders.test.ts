import { beforeAll, describe, expect, test } from 'vitest'
import { companyOrder, companySorts } from '#domain/fields/companies.ts'
import { contactOrder, contactSorts, leadStatuses } from '#domain/fields/contacts.ts'
import { dealOrder, dealSorts, type OrderedStage } from '#domain/fields/deals.ts'
import { taskOrder, taskSorts } from '#domain/fields/tasks.ts'
import { priorities } from '#domain/task.ts'
import { type Account, ok, onEachDatabase } from './harness.ts'
import { add } from './samples.ts'

/** Capitals, accents, letters whose small form depends on the language or the place, and signs beyond all letters. */
const words = [
  'Ada',
  'ada',
  'Ada B',
  'Ada-Lou',
  "Ada'l",
  'Adam',
  'Zoë',
  'zoe',
  'ZOF',
  'Ångström',
  'Łukasz',
  'İpek',
  'ΣΟΦΟΣ',
  'محمد',
  '１ full width',
  '😀 smile',
  '\ufb00ected',
  '100%',
  '_x',
  null,
  null,
]
const days = ['2026-12-01', '2026-02-28', '1999-12-31', '2026-12-01', null, null]
const moments = [
  '2026-12-01T10:00:00Z',
  '2026-12-01T10:00:00.123456Z',
  '2026-12-01T10:00:00.1235Z',
  '2026-12-01T10:00:00.123457Z',
  null,
]

/** Every word beside every kind of other value, the same in every run. */
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T
const rowsOf = <T>(row: (index: number) => T): T[] => Array.from({ length: 84 }, (_, i) => row(i))

type Listed = { id: string }
/** Each knows its own sorts and rows. */
type Order = (sort: never, descending: boolean) => (one: never, other: never) => number

onEachDatabase((database) => {
  let owner: Account
  let stages: OrderedStage[]

  async function insert(table: 'companies' | 'contacts' | 'deals' | 'tasks', rows: object[]) {
    const added = await ok(
      owner.client
        .from(table)
        .insert(rows as never)
        .select('id'),
    )
    // Some at the very same moment, so that only the id tells their order, and some a microsecond apart.
    await database().query(
      `update public.${table} set created_at = '2026-11-01T10:00:00Z'::timestamptz
         + (abs(hashtext(id::text)) % 7) * interval '1 microsecond' where user_id = ?`,
      owner.id,
    )
    return added.map(({ id }: Listed) => id)
  }

  beforeAll(async () => {
    owner = await database().signUp()
    const companies = await insert(
      'companies',
      rowsOf((i) => ({
        name: at(words, i) ?? 'Ada',
        industry: at(words, i + 5),
        location: at(words, i * 5),
      })),
    )
    const contacts = await insert(
      'contacts',
      rowsOf((i) => ({
        first_name: at(words, i),
        last_name: at(words, i * 2 + Math.floor(i / 21)),
        email: i % 4 ? `Person${i % 9}@example.com` : null,
        phone_number: at(['+49 30 1', '(30) 1', '0301', null], i),
        company_id: i % 3 ? at(companies, i * 5) : null,
        lead_status: at(leadStatuses, i),
        lead_score: at([0, 2, 10, -1.5], i),
        birthday: at(
          ['1990-05-03', '--02-29', '--05-03', null, '2000-02-29', '--03-01', '1815-12-10'],
          i,
        ),
        // The database looks at the first hundred characters alone.
        notes: at([null, 'Long '.repeat(20) + (i % 2), at(words, i)], i),
      })),
    )
    const { id: pipeline_id } = await add(owner, 'pipelines')
    const added: unknown = await ok(
      owner.client
        .from('pipeline_stages')
        .insert([2, 10, 1].map((order) => ({ pipeline_id, name: `Step ${order}`, order })) as never)
        .select('id, name, order'),
    )
    stages = added as OrderedStage[]
    await insert(
      'deals',
      rowsOf((i) => ({
        name: at(words, i) ?? 'Ada',
        value: at([0, 10.5, 9, 999_999_999_999.99], i),
        expected_close_date: at(days, i),
        pipeline_id,
        stage_id: i % 4 ? at(stages, i).id : null,
        company_id: i % 3 ? at(companies, i * 5) : null,
        contact_id: i % 5 ? at(contacts, i * 5) : null,
      })),
    )
    await insert(
      'tasks',
      rowsOf((i) => ({
        title: at(words, i) ?? 'Ada',
        priority: at(priorities, i),
        due_date: at(moments, i),
        contact_id: i % 2 ? at(contacts, i) : null,
      })),
    )
    await ok(
      owner.client
        .from('notes')
        .insert(
          contacts.slice(0, 40).map((contact_id: string, i: number) => ({
            kind: 'call',
            contact_id,
            happened_at: at(moments, i) ?? moments[0],
          })) as never,
        )
        .select('id'),
    )
    // Without it every page of contacts takes forty times as long, because nothing tells how few deals a contact has.
    await database().query('analyze contacts, companies, deals, tasks, notes')
  })

  describe.each([
    ['contact_page', contactSorts, contactOrder],
    ['company_page', companySorts, companyOrder],
    ['deal_page', dealSorts, (sort, descending) => dealOrder(sort, descending, stages)],
    ['task_page', taskSorts, taskOrder],
  ] as [name: 'contact_page', sorts: readonly string[], order: Order][])(
    '%s has the same order as the browser',
    (name, sorts, order) => {
      test.each(sorts.flatMap((sort) => [[sort, false] as const, [sort, true] as const]))(
        'by %s, descending %s',
        async (sort, descending) => {
          const answer: unknown = await ok(
            owner.client.rpc(name, { sort, descending, page_size: 1000 }),
          )
          const { rows } = answer as { rows: never[] }
          expect(rows).toHaveLength(84)
          const sorted = rows.toReversed().toSorted(order(sort as never, descending))
          const told = (each: { id: string }) => shortOf(each, sort)
          expect(sorted.map(told)).toEqual(rows.map(told))
        },
      )
    },
  )
})

/** Enough of a row to see what went wrong. */
function shortOf(row: Record<string, unknown> & { id: string }, sort: string): string {
  const { id, first_name, last_name, name, title } = row
  return JSON.stringify([id, first_name, last_name, name, title, row[sort], row[`${sort}_date`]])
}
