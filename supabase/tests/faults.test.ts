import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

/** Something that writes several rows; what it needs is there before it is called. */
type Action = (owner: Account) => Promise<() => PromiseLike<{ error: unknown; status: number }>>

const everyone = { filter: {} }

async function withContacts(owner: Account): Promise<{ id: string; updated_at: string }[]> {
  const company = await add(owner, 'companies')
  const contacts: { id: string; updated_at: string }[] = []
  for (const first_name of ['Ada', 'Ada', 'Ada']) {
    const contact = await add(owner, 'contacts', { first_name, company_id: company.id })
    await add(owner, 'tasks', { contact_id: contact.id })
    await add(owner, 'notes', { contact_id: contact.id })
    contacts.push(contact as (typeof contacts)[number])
  }
  return contacts
}

const actions: [string, Action][] = [
  [
    'an insert of several rows',
    async ({ client }) => {
      const rows = ['A', 'B', 'C'].map((name) => ({ name }))
      return () => client.from('companies').insert(rows)
    },
  ],
  [
    'an import',
    async (owner) => {
      const reported = ['A', 'B', 'C'].map((name) => ({ first_name: name, company: `Of ${name}` }))
      const id = await importCalls(owner).staged('contacts', rowsOf(...reported))
      return () => owner.client.rpc('commit_import', { id, duplicates: 'skip' })
    },
  ],
  [
    'a merge',
    async (owner) => {
      const contacts = await withContacts(owner)
      const seen = Object.fromEntries(contacts.map((row) => [row.id, row.updated_at]))
      return () => owner.client.rpc('merge_contacts', { keep: contacts[0]?.id ?? '', seen })
    },
  ],
  [
    'an undo',
    async (owner) => {
      await withContacts(owner)
      const deleted = await ok(owner.client.rpc('delete_contacts', everyone))
      const { batch } = deleted as { batch: string }
      return () => owner.client.rpc('undo_batch', { batch })
    },
  ],
  [
    'a change of many',
    async (owner) => {
      await withContacts(owner)
      const changes = { lead_status: 'Qualified' }
      return () => owner.client.rpc('update_contacts', { ...everyone, changes })
    },
  ],
  [
    'a deletion of many',
    async (owner) => {
      await withContacts(owner)
      return () => owner.client.rpc('delete_contacts', everyone)
    },
  ],
  [
    'a new pipeline',
    async ({ client }) =>
      () =>
        client.rpc('create_pipeline', { name: 'Second' }),
  ],
  [
    'the sample data',
    async ({ client }) =>
      () =>
        client.rpc('load_sample_data'),
  ],
]

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  // Every write ends in the log: a row of it that cannot be written is a fault in the middle of whatever
  // is being done. The sequence counts on, whatever is rolled back.
  beforeAll(async () => {
    await database().query('create sequence private.rows_until_fault')
    await database().query(`create function private.fault() returns trigger
      language plpgsql security definer as $$
      begin
        if nextval('private.rows_until_fault') = 2 then raise exception 'disk' using errcode = '53100'; end if;
        return new;
      end $$`)
  })
  const plant = () =>
    database().query(
      'create trigger fault before insert on public.changes for each row execute function private.fault()',
    )
  const remove = () => database().query('drop trigger if exists fault on public.changes')
  afterAll(async () => {
    await remove()
    await database().query('drop function private.fault')
    await database().query('drop sequence private.rows_until_fault')
  })

  /** Every row that the account has, in every table, the log and what is sent of an import included. */
  async function everything(): Promise<unknown[]> {
    const tables = await database().query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace::regnamespace::text in ('public', 'private') and c.relkind = 'r'
         and a.attname = 'user_id' order by 1`,
    )
    const all: unknown[] = []
    for (const { name } of tables) {
      const rows = await database().query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t where user_id = ? order by 1`,
        owner.id,
      )
      all.push([name, ...rows.map(({ row }) => row)])
    }
    return all
  }

  describe('a write that fails at its second row leaves nothing, says so, and can be done again', () => {
    test.each(actions)('%s', async (_, action) => {
      const act = await action(owner)
      const before = await everything()
      await database().query("select setval('private.rows_until_fault', 1, false)")
      await plant()
      const failed = await act()
      await remove()
      expect(failed).toMatchObject({
        status: 507,
        error: { message: 'The server’s disk is full. Nothing was saved.' },
      })
      expect(await everything()).toEqual(before)
      expect((await act()).error).toBeNull()
      expect(await everything()).not.toEqual(before)
    })
  })
})
