import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { add } from '../supabase/tests/samples.ts'
import { ask, expectSound, type Person, signUp } from './attacker.ts'
import { writePreferences } from './odd-values.ts'
import { everythingOf, leaked, makeVictim, type Victim } from './victim.ts'

let victim: Victim
let attacker: Person
let before: string
beforeAll(async () => {
  victim = await makeVictim()
  attacker = await signUp()
  await attacker.client.from('companies').insert({ name: 'Mine' })
  before = await everythingOf(victim)
})

const get = (search: string) =>
  ask(`/rest/v1/companies?${search.replaceAll(' ', '%20').replaceAll('#', '%23')}`, {
    token: attacker.token,
  })

// Each is tried wherever a request names something; `pg_sleep` would show by the time it takes.
const injections = [
  "' or '1'='1",
  "') or true --",
  "'; select pg_sleep(90); --",
  '1; drop table public.companies',
  'id; reset role; --',
  'name) union select email from auth.users --',
  '(select pg_sleep(90))',
  '(select string_agg(email,1::text) from auth.users)',
  '"; set role postgres; --',
  'name"||(select 1)||"',
  "$$||current_setting('request.jwt.claims')||$$",
  'pg_catalog.pg_read_file',
  "name::text=''or''='",
  "\\'; select 1 --",
]

/** In the short run each of them is tried in every second place, and each place with every second of them. */
const isElsewhere = (place: number, turn: number) => !isLong && (place + turn) % 2 !== 0

describe('SQL in a request is a text like any other: never run, at most 400', () => {
  test.each(injections.map((sql, turn) => ({ sql, turn })))('$sql', async ({ sql, turn }) => {
    const places = [
      `name=eq.${sql}`,
      `name=in.(${sql})`,
      `name=in.("${sql}")`,
      `name=like.${sql}`,
      `name=cs.{${sql}}`,
      `name=fts(${sql}).x`,
      `name=${sql}.x`,
      `${sql}=eq.1`,
      `or=(name.eq.${sql},id.is.null)`,
      `order=${sql}`,
      `order=name.${sql}`,
      `select=${sql}`,
      `select=name::${sql}`,
      `select=name->>${sql}`,
      `select=x:${sql}`,
      `select=*,contacts!${sql}(*)`,
      `limit=${sql}`,
      `offset=${sql}`,
      `columns=${sql}`,
    ]
    for (const [place, search] of places.entries()) {
      if (isElsewhere(place, turn)) continue
      const answer = await get(search)
      expectSound(answer, search)
      expect([200, 206, 300, 400, 404, 416], `${search} ${answer.text}`).toContain(answer.status)
      expect(leaked(victim, answer.text), search).toEqual([])
      expect(answer.milliseconds, search).toBeLessThan(30_000)
    }
  })

  test('also in headers and in what functions are given', async () => {
    const { token } = attacker
    for (const [turn, sql] of injections.entries()) {
      const headerNames = ['accept-profile', 'prefer', 'range', 'accept']
      for (const [place, name] of headerNames.entries()) {
        if (isElsewhere(place, turn)) continue
        const answer = await ask('/rest/v1/companies', { token, headers: { [name]: sql } })
        expectSound(answer, `${name}: ${sql}`)
        expect(leaked(victim, answer.text), `${name}: ${sql}`).toEqual([])
      }
      const calls = {
        company_page: { sort: sql, filter: { search: sql } },
        contact_page: { sort: sql, filter: { lead_status: [sql] } },
        search_everything: { words: sql },
        backup_page: { kind: sql, after: sql },
        record_timeline: { record: sql, id: sql, before_key: sql, kind: sql },
        report: { day: sql, time_zone: sql },
      }
      for (const [place, [name, body]] of Object.entries(calls).entries()) {
        if (isElsewhere(place, turn)) continue
        const answer = await ask(`/rest/v1/rpc/${name}`, { method: 'POST', body, token })
        expectSound(answer, `${name} ${sql}`)
        expect(leaked(victim, answer.text), `${name} ${sql}`).toEqual([])
        expect(answer.milliseconds, `${name} ${sql}`).toBeLessThan(30_000)
      }
    }
  })

  test('and afterwards everything is as it was', async () => {
    expect((await get('select=name')).json).toEqual([{ name: 'Mine' }])
    expect(await everythingOf(victim)).toBe(before)
  })
})

describe('an embedded select reaches the asker’s own rows only', () => {
  test.each([
    ['companies', 'select=*,contacts(*),deals(*),tasks(*),notes(*)'],
    ['companies', 'select=*,contacts!inner(*,notes(*))'],
    ['contacts', 'select=*,companies!contacts_company_id_fkey(*,deals(*))'],
    ['deals', 'select=*,pipelines(*),...pipeline_stages!deals_stage_id_fkey(stage:name)'],
    ['pipelines', 'select=*,pipeline_stages(*,deals!deals_stage_id_fkey(*))'],
    ['collections', 'select=*,collection_members(*,contacts(*))'],
    ['pipelines', 'select=count()'],
  ])('%s?%s', async (table, search) => {
    const answer = await ask(`/rest/v1/${table}?${search}`, { token: attacker.token })
    expectSound(answer, search)
    expect(leaked(victim, answer.text)).toEqual([])
    expect(answer.text).not.toContain(victim.id)
  })

  test('nor does a filter on an embedded row tell that another’s exists', async () => {
    const company = await add(victim, 'companies', { name: victim.mark })
    await add(victim, 'contacts', { first_name: victim.mark, company_id: company.id })
    const search = (value: string) => `select=id,contacts!inner(id)&contacts.first_name=eq.${value}`
    const [hit, miss] = [await get(search(victim.mark)), await get(search('nobody'))]
    expect([hit.status, hit.text]).toEqual([200, miss.text])
    const { data } = await victim.client
      .from('companies')
      .select('id, contacts!inner(id)')
      .eq('contacts.first_name', victim.mark)
    expect(data, 'there is one to be met').toHaveLength(1)
  })

  test.each(['users', 'auth.users', 'sessions', 'pg_roles', 'imports', 'solo_server.keys'])(
    '%s is neither read nor embedded: 300, 400 or 404; nor read in another schema: 406',
    async (name) => {
      const { token } = attacker
      const read = await ask(`/rest/v1/${name}`, { token })
      expect(read.status, read.text).toBe(404)
      for (const schema of ['auth', 'private', 'pg_catalog', 'solo_server']) {
        const headers = { 'accept-profile': schema }
        const elsewhere = await ask(`/rest/v1/${name.split('.').at(-1)}`, { token, headers })
        expect(elsewhere.status, `${schema} ${elsewhere.text}`).toBe(406)
      }
      for (const hint of ['', '!companies_user_id_fkey', '!inner']) {
        const embedded = await get(`select=*,${name}${hint}(*)`)
        expect([300, 400, 404], embedded.text).toContain(embedded.status)
        expect(embedded.text).not.toContain(attacker.email)
      }
    },
  )
})

describe('a write that asks for embedded rows is answered, or refused and not done', () => {
  const accepts = ['application/json', 'application/vnd.pgrst.object+json', 'text/csv']
  const embeds = [
    '*,not_duplicates(*)', // linked twice: to which of them is not said
    '*,companies(*)',
    '*,companies(contacts(not_duplicates(*)))',
    'id,...not_duplicates(id)',
    '*,nothing(*)',
    '*,users(*)',
  ]
  test.each(['POST', 'PATCH', 'DELETE', 'PUT'])('%s: at most 4xx', async (method) => {
    const { token } = await signUp()
    const id = randomUUID()
    const rows = [
      [`contacts?id=eq.${id}`, { id, first_name: 'Ada' }],
      [`contacts?id=eq.${id}`, [{ id, first_name: 'Ada' }]],
      ['collection_counts?name=eq.x', { name: 'x' }],
    ] as const
    for (const [one, select] of embeds.entries()) {
      for (const [other, prefer] of writePreferences.entries()) {
        for (const [third, accept] of accepts.entries()) {
          for (const [fourth, [path, row]] of rows.entries()) {
            // Any two of them together; all of them together in the long run.
            const isLeftOut =
              (one + other + third) % 3 !== 0 || (one + 2 * third + fourth) % 3 !== 0
            if (isLeftOut && !isLong) continue
            const address = `/rest/v1/${path}&select=${select}`
            const body = method === 'DELETE' ? undefined : row
            const answer = await ask(address, { method, token, body, headers: { accept, prefer } })
            expectSound(answer, `${method} ${address} ${accept} ${prefer}`)
          }
        }
      }
    }
  })
})

test('the planner’s figures, made from the rows of all, are told to nobody: 406', async () => {
  const { token } = attacker
  for (const form of ['', '+json', '+text; for="application/json"; options=analyze|verbose']) {
    const headers = { accept: `application/vnd.pgrst.plan${form}` }
    const answer = await ask('/rest/v1/contacts', { token, headers })
    expect([answer.status, answer.text]).toEqual([406, expect.not.stringContaining('rows')])
  }
})

describe('a regular expression is no filter: 400, before the database sees it', () => {
  test.each([
    'name=match.(a*)*',
    'name=imatch.x',
    'name=not.match.x',
    'name=match(any).{x}',
    'name=imatch(all).{x}',
    'or=(id.is.null,name.match.x)',
    'and=(name.not.imatch.x)',
    'or=(and(name.match.x,id.is.null))',
    'contacts.or=(first_name.match.x)',
    'select=name,contacts(id)&contacts.first_name=match.x',
  ])('%s', async (search) => {
    const answer = await get(search)
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { message: 'Rows cannot be filtered by a regular expression.' },
    ])
  })

  test('while a text that only looks like one is looked for', async () => {
    expect((await get('name=eq.a.match.b')).json).toEqual([])
  })
})
