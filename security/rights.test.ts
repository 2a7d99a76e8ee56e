import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { keys } from '../supabase/tests/test-keys.ts'
import { type Answer, ask, expectSound, type Person, signUp } from './attacker.ts'
import { type Aim, callsAt, callsWith } from './calls.ts'
import { everythingOf, leaked, makeVictim, relations, type Victim } from './victim.ts'

const { columns, functions } = inject('attacked').catalogue

/** One question of each kind that a table or view can be asked, with values that would pass. */
function questions(name: string, filter: string) {
  const own = columns.filter((column) => column.table_name === name)
  const row = (mayWrite: 'can_insert' | 'can_update') =>
    Object.fromEntries(
      own
        .filter((column) => column[mayWrite] || column.name === 'created_at')
        .map(({ name: key }) => [key, null]),
    )
  return [
    { path: `/rest/v1/${name}?${filter}`, method: 'GET' },
    { path: `/rest/v1/${name}?${filter}`, method: 'HEAD' },
    { path: `/rest/v1/${name}?${filter}`, method: 'DELETE' },
    {
      path: `/rest/v1/${name}?${filter}`,
      method: 'PATCH',
      body: row('can_update'),
    },
    { path: `/rest/v1/${name}`, method: 'POST', body: row('can_insert') },
  ]
}

describe('nobody', () => {
  test('reads or writes any table or view: 401', async () => {
    for (const name of relations) {
      const isView = columns.some((each) => each.table_name === name && each.kind === 'view')
      const apikeys = [keys.publishableKey, '', 'sb_secret_guess']
      for (const [place, { path, ...asked }] of questions(name, 'limit=1').entries()) {
        // Here the key of every page with every question, and the others with some.
        for (const apikey of isLong || place === 0 ? apikeys : apikeys.slice(0, 1)) {
          const answer = await ask(path, { ...asked, headers: { apikey } })
          // A view cannot be written by anybody, and some say that to everybody.
          const expected = isView && answer.text.includes('55000') ? 405 : 401
          expect(answer.status, `${asked.method} ${name} ${answer.text}`).toBe(expected)
        }
      }
    }
  })

  test('calls any function: 401', async () => {
    for (const { name, args } of functions) {
      const body = Object.fromEntries(args.map((each) => [each.name, null]))
      expect((await ask(`/rest/v1/rpc/${name}`, { method: 'POST', body })).status, name).toBe(401)
    }
  })
})

describe('the wrong user', () => {
  let victim: Victim
  let before: string
  let aim: Aim
  beforeAll(async () => {
    victim = await makeVictim()
    aim = await aimAt(victim)
    before = await everythingOf(victim)
  })

  test('meets and changes no row of any table or view: an empty list, or 403 and 405', async () => {
    const { token } = await signUp()
    const headers = { prefer: 'return=representation' }
    for (const name of relations) {
      const isOwned = columns.some((each) => each.table_name === name && each.name === 'user_id')
      const filter = `${isOwned ? 'user_id' : 'id'}=in.(${victim.known.join(',')})`
      for (const { path, ...asked } of questions(name, filter)) {
        const answer = await ask(path, { token, headers, ...asked })
        const what = `${asked.method} ${name} ${answer.text}`
        expect(leaked(victim, answer.text), what).toEqual([])
        if (asked.method === 'GET') expect(answer.json, what).toEqual([])
        else if (asked.method === 'DELETE') expect(answer.text, what).toMatch(/^\[\]$|42501|55000/)
        else if (asked.method !== 'HEAD') expect([400, 403, 405], what).toContain(answer.status)
      }
    }
    expect(await everythingOf(victim)).toBe(before)
  })

  test('nor by a plain read, which is answered without the library', async () => {
    const { token } = await signUp()
    for (const name of relations) {
      const isOwned = columns.some((each) => each.table_name === name && each.name === 'user_id')
      const theirs = `${isOwned ? 'user_id' : 'id'}=eq.${victim.id}`
      const all = await ask(`/rest/v1/${name}`, { token })
      expect([all.status, leaked(victim, all.text)], name).toEqual([200, []])
      const answer = await ask(`/rest/v1/${name}?${theirs}&limit=5`, { token })
      expect([answer.status, answer.text], name).toEqual([200, '[]'])
    }
  })

  test('gets from every function what there is to get where there is no such row', async () => {
    const [stranger, control] = [await signUp(), await signUp()]
    const controls = callsAt(aimAtNothing())
    for (const [place, { name, args }] of callsAt(aim).entries()) {
      const answer = await call(stranger, name, args)
      const expected = await call(control, name, controls[place]?.args ?? {})
      const what = `${name} ${JSON.stringify(args)}`
      expectSound(answer, what)
      expect(leaked(victim, answer.text), what).toEqual([])
      expect(answer.status, what).toBe(expected.status)
      expect(faceless(answer.text, stranger), what).toBe(faceless(expected.text, control))
    }
    expect(await everythingOf(victim)).toBe(before)
  })

  test('nor does any function tell, whatever the id in its place is an id of', async () => {
    const [stranger, control] = [await signUp(), await signUp()]
    const nothing = aimAtNothing()
    // Ids of nothing are all alike: what differs in nothing else is asked once.
    const toNothing = new Map<string, Answer>()
    for (const [turn, kind] of (Object.keys(nothing) as (keyof Aim)[]).entries()) {
      const controls = callsWith(nothing, kind)
      for (const [place, { name, args }] of callsWith(aim, kind).entries()) {
        // Here every call with a twelfth of the kinds, and every kind in a twelfth of the calls.
        if (!isLong && (place + turn) % 12 !== 0) continue
        const answer = await call(stranger, name, args)
        const without = controls[place]?.args ?? {}
        const key = name + withNumbers(without)
        const expected = toNothing.get(key) ?? (await call(control, name, without))
        toNothing.set(key, expected)
        const what = `${name} ${JSON.stringify(args)}`
        expectSound(answer, what)
        expect(leaked(victim, answer.text), what).toEqual([])
        if (beginning.has(name)) continue
        expect(answer.status, `${what} ${answer.text} ${expected.text}`).toBe(expected.status)
        expect(faceless(answer.text, stranger), what).toBe(faceless(expected.text, control))
      }
    }
    expect(await everythingOf(victim)).toBe(before)
  }, 180_000)

  test('nor any write with a link to their rows, also where it would be one too many of its kind', async () => {
    const [stranger, control] = [await signUp(), await signUp()]
    const nothing = aimAtNothing()
    const rows = ({ pipeline, stage, company, contact, deal, collection, other, task }: Aim) =>
      [
        ['pipeline_stages', { name: 'Lead', pipeline_id: pipeline }],
        ['collection_members', { collection_id: collection, contact_id: contact }],
        [
          'not_duplicates',
          {
            one_contact_id: [contact, other].sort()[0],
            other_contact_id: [contact, other].sort()[1],
          },
        ],
        ['contacts', { company_id: company }],
        ['deals', { name: 'x', stage_id: stage }],
        ['deals', { name: 'x', pipeline_id: pipeline }],
        ['deals', { name: 'x', company_id: company }],
        ['deals', { name: 'x', contact_id: contact }],
        ['tasks', { title: 'x', deal_id: deal }],
        ['tasks', { title: 'x', contact_id: contact }],
        ['tasks', { title: 'x', company_id: company }],
        ['notes', { body: 'x', contact_id: contact }],
        ['notes', { body: 'x', company_id: company }],
        ['notes', { body: 'x', deal_id: deal }],
        ['tasks', { title: 'x', repeated_from: task }],
      ] as const
    const controls = rows(nothing)
    for (const [place, [name, body]] of rows(aim).entries()) {
      const asked = { method: 'POST', headers: { prefer: 'return=representation' } }
      const answer = await ask(`/rest/v1/${name}`, { ...asked, body, token: stranger.token })
      const none = { ...asked, body: controls[place]?.[1], token: control.token }
      const expected = await ask(`/rest/v1/${name}`, none)
      expect([403, 409], `${name} ${answer.text}`).toContain(answer.status)
      expect([answer.status, answer.text], name).toEqual([expected.status, expected.text])
    }
    expect(await everythingOf(victim)).toBe(before)
  })
})

/** What begins under an id of the browser's own making says that one is taken, as an insert does. */
const beginning = new Set(['start_import', 'start_restore'])

function call({ token }: Person, name: string, body: object) {
  return ask(`/rest/v1/rpc/${name}`, { method: 'POST', body, token })
}

/** Rows that are there, of somebody else. */
async function aimAt(victim: Victim): Promise<Aim> {
  async function first(path: string, key = 'id'): Promise<string> {
    const { text } = await ask(`/rest/v1/${path}`, { token: victim.token })
    return JSON.parse(text)[0][key]
  }
  const restore = randomUUID()
  await victim.client.rpc('start_restore', { id: restore, version: 1, tables: { companies: 1 } })
  const started = randomUUID()
  const { error } = await victim.client.rpc('start_import', {
    id: started,
    kind: 'contacts',
    file_name: 'people.csv',
    total: 1,
  })
  expect(error).toBeNull()
  const contact = await first('collection_members', 'contact_id')
  return {
    contact,
    other: await first(`contacts?id=neq.${contact}`),
    seenAt: await first('contacts', 'updated_at'),
    company: await first('companies'),
    deal: await first('deals'),
    task: await first('tasks'),
    pipeline: await first('pipelines'),
    stage: await first('pipeline_stages'),
    collection: await first('collection_members', 'collection_id'),
    batch: await first('changes?verb=eq.delete', 'batch'),
    content: await first('files', 'sha256'),
    restore,
    import: started,
  }
}

function aimAtNothing(): Aim {
  const id = randomUUID
  const rows = { contact: id(), company: id(), deal: id(), task: id(), pipeline: id(), stage: id() }
  const others = { other: id(), collection: id(), batch: id(), restore: id(), import: id() }
  const content = id().replaceAll('-', '').repeat(2)
  return { ...rows, ...others, content, seenAt: '2026-11-15T10:00:00+00:00' }
}

/** With a number in place of each id: the same for two that differ only in which ids they have. */
function withNumbers(args: object): string {
  const ids: string[] = []
  return JSON.stringify(args).replace(uuids, (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `#${ids.indexOf(id)}`
  })
}

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** An answer without what differs between any two accounts. */
function faceless(text: string, { email }: Person): string {
  return text
    .replaceAll(email, 'E')
    .replace(uuids, 'I')
    .replace(/[0-9a-f]{64}|\b[0-9a-f]{32}\b/g, 'S')
    .replace(/"age": \d+/, '"age": A')
    .replace(/"change": \d+/, '"change": C')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)/g, 'T')
}
