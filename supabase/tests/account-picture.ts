import type { TestDatabase } from './harness.ts'

const tables = [
  'companies',
  'contacts',
  'pipelines',
  'pipeline_stages',
  'deals',
  'tasks',
  'notes',
  'collections',
  'collection_members',
  'deal_contacts',
  'saved_views',
  'email_templates',
  'not_duplicates',
  'forms',
  'form_submissions',
  'files',
  'mail_accounts',
  'mails',
  'mail_exclusions',
]

/** What a row links to, by name: ids differ from account to account. */
const links = `
  (select c.name from public.companies c where c.id = (r ->> 'company_id')::uuid) as company,
  (select c.first_name || '/' || c.last_name from public.contacts c where c.id = (r ->> 'contact_id')::uuid) as contact,
  (select d.name from public.deals d where d.id = (r ->> 'deal_id')::uuid) as deal,
  (select p.name from public.pipelines p where p.id = (r ->> 'pipeline_id')::uuid) as pipeline,
  (select s.name from public.pipeline_stages s where s.id = (r ->> 'stage_id')::uuid) as stage,
  (select t.title from public.tasks t where t.id = (r ->> 'repeated_from')::uuid) as repeated`

/** All that an account has, its log and its history included, in a form in which two accounts can be compared. */
export async function pictureOf(
  { query }: TestDatabase,
  { id }: { id: string },
): Promise<Record<string, string[]>> {
  const picture: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await query(
      `select r - 'search_text' as r, ${links}
       from public.${table} t cross join lateral to_jsonb(t) r where t.user_id = ?`,
      id,
    )
    picture[table] = withoutIds(rows).sort()
  }
  picture.orders = withoutIds(
    await query(
      'select first_name, last_name from public.contacts where user_id = ? order by created_at desc, first_name, last_name',
      id,
    ),
  )
  picture.changes = withoutIds(
    await query(
      `select table_name, verb, label, before, after, undoes is not null as is_undo
       from public.changes where user_id = ?`,
      id,
    ),
  ).sort()
  // A batch in two pieces would be told as two.
  picture.batches = withoutIds(
    await query(
      `select count(distinct c.created_at) as moments, count(*) as lines, min(d.action) as action
       from public.changes c left join private.actions d on d.user_id = c.user_id and d.batch = c.batch
       where c.user_id = ? group by c.batch`,
      id,
    ),
  ).sort()
  return picture
}

/** As text, with a sign in place of what differs from account to account. */
export function withoutIds(rows: unknown[]): string[] {
  return rows.map((row) =>
    JSON.stringify(row)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '#')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+[\d:]+|Z)/g, '@'),
  )
}
