import { beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { add } from '../supabase/tests/samples.ts'
import { type Answer, ask, expectSound, type Person, signUp } from './attacker.ts'
import { oddTexts } from './odd-values.ts'
import { everythingOf, leaked, makeVictim, type Victim } from './victim.ts'

const names = [
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'company',
  'role_title',
  'message',
]
const fields = names.map((name) => ({ name, label: name, is_required: name === 'email' }))

/** Another one for each request, so that no limit ends the attack. */
function address(): string {
  return `10.201.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
}

async function formOf(owner: Person): Promise<{ id: string; path: string }> {
  const form = await add(owner, 'forms', { name: 'Website', fields })
  return { id: form.id, path: `/f/${Reflect.get(form, 'slug')}` }
}

const send = (path: string, body: unknown, from = address()): Promise<Answer> =>
  ask(path, { method: 'POST', body, from })

const post = (path: string, values: Record<string, string>, from = address()): Promise<Answer> =>
  ask(path, {
    method: 'POST',
    body: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    from,
  })

async function contactsOf({ client }: Person) {
  const { data } = await client.from('contacts').select()
  return data ?? []
}

let victim: Victim
let stranger: Person
beforeAll(async () => {
  victim = await makeVictim()
  stranger = await signUp()
})

describe('with ids of another account', () => {
  test('no form of theirs is made, reached, read or filled by their ids: 404', async () => {
    const before = await everythingOf(victim)
    const ids = [...victim.known, ...victim.hidden]
    for (const [place, id] of ids.entries()) {
      const paths = [`/f/${id}`, `/f/${id.replaceAll('-', '')}`, `/f/${id}/thanks`]
      for (const path of isLong ? paths : paths.slice(place % 3).slice(0, 1)) {
        expect((await ask(path, { from: address() })).status).toBe(404)
        expect((await send(path, { email: 'a@b.c' })).status).toBe(404)
      }
      const { data } = await stranger.client.rpc('accept_submission', { id })
      expect(leaked(victim, JSON.stringify(data))).toEqual([])
    }
    for (const name of ['delete_submissions', 'see_leads'] as const) {
      const { data } = await stranger.client.rpc(name, { ids })
      expect(leaked(victim, JSON.stringify(data))).toEqual([])
    }
    expect(await everythingOf(victim)).toBe(before)
  })

  test('a form of one’s own puts nothing into their collections and pipelines: 409', async () => {
    for (const [column, table] of [
      ['collection_id', 'collections'],
      ['pipeline_id', 'pipelines'],
    ] as const) {
      const { data } = await victim.client.from(table).select('id').limit(1).single()
      const row = { name: 'Theirs', fields, [column]: data?.id }
      const { status } = await stranger.client.from('forms').insert(row as never)
      expect(status).toBe(409)
    }
  })

  test('what only the server may call is called by nobody', async () => {
    const { path } = await formOf(stranger)
    const calls: [string, object][] = [
      ['submit_form', { address: path.slice(3), lead: {}, doubts: [] }],
      ['shown_form', { address: path.slice(3) }],
      ['card_page', { token: 'f'.repeat(64) }],
    ]
    for (const [name, body] of calls) {
      for (const token of [undefined, stranger.token]) {
        const more = token ? { token } : {}
        const answer = await ask(`/rest/v1/rpc/${name}`, { method: 'POST', body, ...more })
        expect([401, 403, 404], name).toContain(answer.status)
        expect(answer.text).not.toContain(stranger.email)
      }
    }
  })
})

describe('what is sent', () => {
  test('shows nothing of the owner on the page, and no key to the account', async () => {
    const owner = await makeVictim()
    const form = await formOf(owner)
    const { text, headers } = await ask(form.path, { from: address() })
    expect(leaked(owner, text)).toEqual([])
    expect(text).not.toContain(owner.id)
    expect(text).not.toContain(form.id)
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('is stored to the letter or refused in words, whatever stands in it', async () => {
    const owner = await signUp()
    let path = ''
    const odd = [
      ...oddTexts,
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '=HYPERLINK("http://evil","x")',
      '+1+1|cmd',
      "'; drop table contacts; --",
      '{{constructor}}',
      '#{7*7}',
      '__proto__',
    ]
    const withOdd = (name: string | undefined, text: string) => ({
      email: `a${Math.random()}@b.example`,
      [name ?? '']: text,
    })
    for (const [place, text] of odd.entries()) {
      // One form takes only so much in a quarter of an hour.
      if (isLong || place % 5 === 0) path = (await formOf(owner)).path
      // In the short run each text goes into one field, and each field gets every seventh text.
      for (const shift of isLong ? names.keys() : [0]) {
        const isMarkup = /[<">&]/.test(text)
        // In the short run markup goes in both ways, other texts take turns.
        const isBoth = isLong || isMarkup
        if (isBoth || place % 2 === 0) {
          const json = withOdd(names[(place + shift) % names.length], text)
          const sent = await send(path, json)
          expectSound(sent, JSON.stringify(json))
          expect([200, 422], sent.text).toContain(sent.status)
        }
        if (!isBoth && place % 2 === 0) continue
        // The page comes back with what was typed when the email is refused, so there markup goes into every field.
        const html = isMarkup
          ? Object.fromEntries(names.map((name) => [name, text]))
          : withOdd(names[(place + shift + 3) % names.length], text)
        const posted = await post(path, html)
        expectSound(posted, JSON.stringify(html))
        expect([303, 422]).toContain(posted.status)
        expect(posted.text).not.toMatch(/<(script|img)/i)
      }
    }
    // The one with a link looks like spam, and waits.
    await send(path, withOdd('role_title', '+1+1|cmd'))
    const stored = (await contactsOf(owner)).map(({ role_title }) => role_title)
    expect(stored).toContain('+1+1|cmd')
    for (const odd of [
      '{"__proto__":{"email":"x"}}',
      '{"constructor":1}',
      '{"toString":"x"}',
      'null',
      '1',
      '',
    ]) {
      expect((await send(path, odd)).status).toBe(400)
    }
    expect((await post(path, { __proto__x: 'x', constructor: 'x', email: 'p@q.r' })).status).toBe(
      303,
    )
  })

  test('sets no column that the form does not ask for', async () => {
    const owner = await signUp()
    const { path } = await formOf(owner)
    const more = { lead_score: '99', tags: 'x', user_id: stranger.id, id: stranger.id }
    await post(path, { email: 'only@b.example', ...more })
    const contacts = await contactsOf(owner)
    expect(contacts).toMatchObject([{ email: 'only@b.example', lead_score: 0, user_id: owner.id }])
    expect(contacts[0]?.id).not.toBe(stranger.id)
  })

  test('overwrites nothing of a known contact, however often it is tried', async () => {
    const owner = await signUp()
    const { path } = await formOf(owner)
    const known = { first_name: 'Ada', email: 'known@b.example', role_title: 'Boss' }
    const { id } = await add(owner, 'contacts', known)
    for (const email of ['known@b.example', 'KNOWN@b.example', ' known@b.example ']) {
      await send(path, { email, first_name: 'Eve', role_title: 'Nobody' })
    }
    expect(await contactsOf(owner)).toMatchObject([{ id, ...known }])
  })

  test('of ten megabytes is refused: 413', async () => {
    const { path } = await formOf(stranger)
    const big = 'x'.repeat(10_000_000)
    for (const attack of [
      () => send(path, { email: 'a@b.c', message: big }),
      () => post(path, { email: 'a@b.c', message: big }),
    ]) {
      const answer = await attack().catch(() => null)
      // The connection may be cut off before all of it is sent.
      if (answer) expect(answer.status).toBe(413)
    }
    expect(await contactsOf(stranger)).toEqual([])
  })
})

describe('against spam', () => {
  test('forged stamps, and those of another form, put a submission into quarantine', async () => {
    const owner = await signUp()
    const [one, other] = [await formOf(owner), await formOf(owner)]
    const page = (await ask(other.path, { from: address() })).text
    const [, stamp = ''] = /name="stamp" value="([^"]+)"/.exec(page) ?? []
    expect(stamp).not.toBe('')
    const stamps = [stamp, '', '0.x', `0.${'A'.repeat(43)}`, `${stamp}x`, stamp.replace('.', '0.')]
    for (const [place, forged] of stamps.entries()) {
      await post(one.path, { email: `s${place}@b.example`, stamp: forged })
    }
    expect(await contactsOf(owner)).toEqual([])
    const { data } = await owner.client.from('form_submissions').select('status, doubts')
    expect(data).toHaveLength(stamps.length)
    expect(data?.every(({ status, doubts }) => status === 'waiting' && doubts[0] === 'stamp')).toBe(
      true,
    )
  })

  test('what fills in the hidden field, or is sent at once, waits; what is too long is refused', async () => {
    const owner = await signUp()
    const { path } = await formOf(owner)
    const page = (await ask(path, { from: address() })).text
    const [, stamp = ''] = /name="stamp" value="([^"]+)"/.exec(page) ?? []
    const [, trap = ''] = /id="trap" name="([^"]+)"/.exec(page) ?? []
    expect((await post(path, { email: 'fast@b.example', stamp })).status).toBe(303)
    expect((await post(path, { email: 'trap@b.example', [trap]: 'x' })).status).toBe(303)
    for (const name of names) {
      const long = await send(path, { email: 'long@b.example', [name]: 'x'.repeat(60_000) })
      expect(long.status, name).toBe(422)
    }
    expect(await contactsOf(owner)).toEqual([])
    const { data } = await owner.client.from('form_submissions').select('status')
    expect(data).toEqual([{ status: 'waiting' }, { status: 'waiting' }])
  })

  test('one address fills in a form ten times in a quarter of an hour: then 429', async () => {
    const owner = await signUp()
    const { path } = await formOf(owner)
    const from = address()
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      const { status } = await send(path, { email: `limit${count}@b.example` }, from)
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    expect(await contactsOf(owner)).toHaveLength(10)
  })

  test('addresses of forms and cards are not guessed: 429 after twenty', async () => {
    for (const path of ['/f/', '/cards/']) {
      const from = address()
      let last = 0
      for (let count = 0; count < 21; count += 1) {
        const guess =
          path === '/f/'
            ? count.toString(16).padStart(32, '0')
            : `${count.toString(16).padStart(64, '0')}.vcf`
        last = (await ask(path + guess, { from })).status
      }
      expect(last).toBe(429)
    }
  })
})

test('a deleted form takes nothing, and nobody gets its address', async () => {
  const owner = await signUp()
  const { id, path } = await formOf(owner)
  await owner.client.from('forms').delete().eq('id', id)
  const taken = await add(stranger, 'forms', { id, fields })
  expect(`/f/${Reflect.get(taken, 'slug')}`).not.toBe(path)
  expect((await send(path, { email: 'a@b.c' })).status).toBe(404)
  const written = await stranger.client
    .from('forms')
    .insert({ name: 'x', slug: path.slice(3) } as never)
  expect(written.status).toBeGreaterThanOrEqual(400)
})
