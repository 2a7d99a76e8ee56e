import { inject } from 'vitest'
import { add, type SampleTable, samples } from '../supabase/tests/samples.ts'
import { ask, type Person, signUp } from './attacker.ts'

const { columns } = inject('attacked').catalogue

/** Every table and view that requests reach. */
export const relations = [...new Set(columns.map((column) => column.table_name))]

/** Stands in every text of a victim's rows, and in no request of an attacker. */
export type Victim = Person & { mark: string; known: string[]; hidden: string[] }

/** Where each table holds a text of the user's own. */
const marked: Partial<Record<SampleTable, string[]>> = {
  companies: ['name', 'industry', 'location'],
  contacts: ['first_name', 'last_name', 'phone_number', 'role_title', 'notes'],
  pipelines: ['name'],
  pipeline_stages: ['name'],
  deals: ['name'],
  tasks: ['title', 'description'],
  notes: ['body', 'outcome'],
  collections: ['name'],
  saved_views: ['name', 'query'],
  email_templates: ['name', 'subject', 'body'],
  fields: ['name'],
  forms: ['name', 'title', 'intro', 'thanks', 'task_title'],
  form_submissions: ['who'],
  files: ['name'],
}

/** An account with a row in every table, deleted ones included, all of which nobody else may meet. */
export async function makeVictim(): Promise<Victim> {
  const person = await signUp()
  const mark = `mark${Math.random().toString(36).slice(2, 12)}`
  for (const name of Object.keys(samples) as SampleTable[]) {
    const values = Object.fromEntries((marked[name] ?? []).map((column) => [column, mark]))
    await add(person, name, values)
  }
  const gone = await add(person, 'companies', { name: `${mark} gone` })
  await person.client.from('companies').delete().eq('id', gone.id)
  await person.client.rpc('create_calendar_feed', {})
  await person.client.rpc('create_card_feed', {})
  const rows = await everythingOf(person)
  const ids = [...new Set(rows.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))]
  // Of some rows an attacker has come to know the id. The others may not even be met by their id.
  const known = [person.id, ...ids.filter((id, place) => id !== person.id && place % 2 === 0)]
  return { ...person, mark, known, hidden: ids.filter((id) => !known.includes(id)) }
}

/** All rows that an account can read, of every table, in an order that does not depend on the database. */
export async function everythingOf({ token }: Pick<Person, 'token'>): Promise<string> {
  const answers = await Promise.all(relations.map((name) => ask(`/rest/v1/${name}`, { token })))
  const rows = answers.flatMap(({ status, text }) => {
    if (status !== 200) throw new Error(`An owner could not read their own rows: ${text}`)
    return (JSON.parse(text) as unknown[]).map((row) => JSON.stringify(row))
  })
  return rows.sort().join('\n')
}

/** What of a victim stands in an answer to somebody else. */
export function leaked({ mark, email, token, hidden }: Victim, answer: string): string[] {
  return [mark, email, token, ...hidden].filter((secret) => answer.includes(secret))
}
