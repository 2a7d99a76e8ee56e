import type { Connection } from '@supabase/lite'

type Introspection = Awaited<ReturnType<Connection['introspect']>>
type ForeignKey = Introspection['foreign_keys'][number]

/** The lists that have been changed already. */
const single = new WeakSet<ForeignKey[]>()

/**
 * The library's view of the schema, with single-column foreign keys.
 *
 * Our foreign keys include the owner, so that nobody can link to a row of somebody else. Of such a key the
 * library joins by the first column only: each contact with every company of its owner. The column that refers
 * to the primary key is enough.
 */
export function withSingleLinks(introspection: Introspection): Introspection {
  if (single.has(introspection.foreign_keys)) return introspection
  const primaryKeys = new Map(
    introspection.primary_keys
      .filter((key) => key.columns.length === 1)
      .map((key) => [`${key.schema}.${key.table}`, key.columns[0]]),
  )
  const isDeciding = (key: ForeignKey) =>
    primaryKeys.get(`${key.ref_schema ?? key.schema}.${key.ref_table}`) === key.ref_column
  const decided = new Set(introspection.foreign_keys.filter(isDeciding).map(nameOf))
  // Changed in place: the library keeps this object.
  introspection.foreign_keys = introspection.foreign_keys.filter(
    (key) => isDeciding(key) || !decided.has(nameOf(key)),
  )
  single.add(introspection.foreign_keys)
  return introspection
}

function nameOf(key: ForeignKey): string {
  return `${key.schema}.${key.table}.${key.foreign_key_group ?? key.foreign_key_name}`
}

/** An embedded table without a relationship name: `...`, an alias, the table, how it is joined. */
const unnamed = /^(\s*(?:\.\.\.)?\s*(?:[^!():"]+:)?)([a-z0-9_]+)((?:!(?:inner|left))?\s*)$/

/**
 * Names the foreign key of every embedded table that is linked by exactly one: `companies(name)` of a contact
 * becomes `companies!contacts_company_id_fkey(name)`.
 *
 * The library treats every table with links to both as a many-to-many relationship, and then finds the request
 * ambiguous: a deal links to a contact and a company, so `contacts?select=*,companies(name)` fails. PostgREST,
 * which a hosted project runs, does so only for tables whose primary key holds both links; we have none.
 */
export function nameRelationships(select: string, table: string, keys: ForeignKey[]): string {
  // Quoted names could contain parentheses. None of our names needs quotes.
  if (!select.includes('(') || select.includes('"')) return select
  const parents: (string | null)[] = [table]
  let named = ''
  let start = 0
  for (let place = 0; place < select.length; place += 1) {
    const letter = select[place]
    if (letter !== ',' && letter !== '(' && letter !== ')') continue
    const item = select.slice(start, place)
    start = place + 1
    if (letter !== '(') {
      named += item + letter
      if (letter === ')') parents.pop()
      continue
    }
    const [, before, child, join] = unnamed.exec(item) ?? []
    const parent = parents.at(-1)
    const key = parent && child ? onlyLink(parent, child, keys) : null
    named += key ? `${before}${child}!${key}${join}(` : `${item}(`
    parents.push(embeddedTable(item, keys))
  }
  return named + select.slice(start)
}

/** The name of the only foreign key between two tables, in either direction; null for none or several. */
function onlyLink(parent: string, child: string, keys: ForeignKey[]): string | null {
  const links = new Set(
    keys
      .filter(
        (key) =>
          (key.table === parent && key.ref_table === child) ||
          (key.table === child && key.ref_table === parent),
      )
      .map((key) => key.foreign_key_name),
  )
  const [link, ...others] = links
  return parent !== child && others.length === 0 ? (link ?? null) : null
}

/** The table that an item embeds, where it is named by its own name. */
function embeddedTable(item: string, keys: ForeignKey[]): string | null {
  const [, name] = /(?:^|[:.\s])([a-z0-9_]+)(?:![a-z0-9_]+)*\s*$/.exec(item) ?? []
  const isTable = keys.some((key) => key.table === name || key.ref_table === name)
  return name && isTable ? name : null
}
