import { beforeAll, expect, test } from 'vitest'
import { type Account, onEachDatabase } from './harness.ts'

type Sent = { name: string; body?: unknown; headers?: Record<string, string>; search?: string }

/** Any wish about the answer makes the library answer; this one wishes for what it answers anyway. */
const toLibrary = { accept: 'application/json, */*' }

function nested(levels: number): string {
  return `{"filter":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

onEachDatabase((database) => {
  async function send(account: Pick<Account, 'token'>, { name, body, headers, search }: Sent) {
    const { backend } = database()
    const response = await backend.fetch(
      new Request(`http://127.0.0.1:3000/rest/v1/rpc/${name}${search ?? ''}`, {
        method: 'POST',
        headers: {
          apikey: backend.publicKey,
          authorization: `Bearer ${account.token}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
      }),
      null,
    )
    const text = await response.text()
    const shown = [...response.headers].filter(
      ([key]) => !key.startsWith('access-control-') && key !== 'content-length',
    )
    return {
      status: response.status,
      headers: Object.fromEntries(shown),
      body: text === '' ? null : JSON.parse(text),
      isLibrarys: response.headers.has('access-control-expose-headers'),
      isMeasured: response.headers.get('content-length') === String(Buffer.byteLength(text)),
    }
  }

  /** The same request by both ways; the answers must not differ. */
  async function both(account: Pick<Account, 'token'>, sent: Sent) {
    const ours = await send(account, sent)
    const { isLibrarys, ...librarys } = await send(account, { ...sent, headers: toLibrary })
    expect(isLibrarys).toBe(true)
    expect(ours).toMatchObject({ ...librarys, isMeasured: ours.isMeasured })
    return ours
  }

  let me: Account
  beforeAll(async () => {
    me = await database().signUp()
    await me.client.from('contacts').insert({ first_name: 'Zoë "Z" \\ 😀' })
  })

  const nobody = crypto.randomUUID()
  const cases: (Sent & { isOurs: boolean; status: number })[] = [
    { name: 'contact_page', isOurs: true, status: 200 },
    { name: 'contact_page', body: { page_size: 2, sort: 'name' }, isOurs: true, status: 200 },
    { name: 'contact_page', body: { after: null, filter: {} }, isOurs: true, status: 200 },
    { name: 'contact_page', body: { filter: { search: 'é\u2028😀' } }, isOurs: true, status: 200 },
    { name: 'contact_count', isOurs: true, status: 200 },
    // Refused by the function, or by the types: in the library's form.
    { name: 'create_pipeline', body: { name: '' }, isOurs: false, status: 400 },
    { name: 'contact_page', body: { sort: 'x' }, isOurs: false, status: 400 },
    { name: 'contact_page', body: { page_size: 'x' }, isOurs: false, status: 400 },
    { name: 'contact_page', body: { page_size: 1.5 }, isOurs: false, status: 400 },
    { name: 'undo_batch', body: { batch: nobody }, isOurs: false, status: 404 },
    // Not what the function takes, or no such function.
    { name: 'contact_page', body: { nobody: 1 }, isOurs: false, status: 404 },
    { name: 'contact_page', body: { 'a" => 1); --': 1 }, isOurs: false, status: 404 },
    { name: 'update_contacts', body: { filter: {} }, isOurs: false, status: 404 },
    { name: 'nothing_here', isOurs: false, status: 404 },
    // Not as our client sends it.
    { name: 'contact_page', body: '{', isOurs: false, status: 400 },
    { name: 'contact_page', body: '[]', isOurs: false, status: 200 },
    { name: 'contact_page', body: nested(100_000), isOurs: false, status: 400 },
    { name: 'contact_page', search: '?select=rows', isOurs: false, status: 400 },
  ]
  test.each(cases)('is answered as by the library: $name $body', async (sent) => {
    const { isOurs, status, ...request } = sent
    expect(await both(me, request)).toMatchObject({ status, isLibrarys: !isOurs })
  })

  test('needs the key, and a token of a session that has not ended', async () => {
    const leaving = await database().signUp()
    expect(await send(leaving, { name: 'contact_page' })).toMatchObject({ status: 200 })
    await leaving.client.auth.signOut()
    const ended = await both(leaving, { name: 'contact_page' })
    expect(ended).toMatchObject({ status: 401, body: { code: 'PGRST301' }, isLibrarys: false })
    const name = 'contact_page'
    for (const apikey of ['', 'sb_publishable_other']) {
      expect(await send(me, { name, headers: { apikey } })).toMatchObject({ status: 401 })
    }
    for (const token of ['', 'x.y.z', `${me.token}x`, me.token.slice(0, -2)]) {
      expect((await both({ token }, { name })).status).toBe(401)
    }
  })

  test('a function that chooses its own answer runs once', async () => {
    const { query, connection } = database()
    await query(`create function public.choose() returns text language sql security definer set search_path = ''
      as $$ insert into public.companies (user_id, name) values (auth.uid(), 'Chosen');
            select set_config('response.status', '201', true) $$`)
    await connection.clearSchemaCache()
    expect(await send(me, { name: 'choose' })).toMatchObject({ status: 201, body: '201' })
    const { data } = await me.client.from('companies').select('name')
    expect(data).toEqual([{ name: 'Chosen' }])
  })
})
