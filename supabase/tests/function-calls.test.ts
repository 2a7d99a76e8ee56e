import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Sent, sender } from './both-ways.ts'
import { type Account, onEachDatabase } from './harness.ts'

function nested(levels: number): string {
  return `{"filter":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

onEachDatabase((database) => {
  const { send, both } = sender(database)
  let me: Account
  beforeAll(async () => {
    me = await database().signUp()
    await me.client.from('contacts').insert({ first_name: 'Zoë "Z" \\ 😀' })
  })

  const nobody = crypto.randomUUID()
  const cases: (Sent & { isOurs: boolean; status: number })[] = [
    { path: 'rpc/contact_page', isOurs: true, status: 200 },
    { path: 'rpc/contact_page', body: { page_size: 2, sort: 'name' }, isOurs: true, status: 200 },
    { path: 'rpc/contact_page', body: { after: null, filter: {} }, isOurs: true, status: 200 },
    {
      path: 'rpc/contact_page',
      body: { filter: { search: 'é\u2028😀' } },
      isOurs: true,
      status: 200,
    },
    { path: 'rpc/contact_count', isOurs: true, status: 200 },
    // Refused by the function, or by the types: in the library's form.
    { path: 'rpc/create_pipeline', body: { name: '' }, isOurs: false, status: 400 },
    { path: 'rpc/contact_page', body: { sort: 'x' }, isOurs: false, status: 400 },
    { path: 'rpc/contact_page', body: { page_size: 'x' }, isOurs: false, status: 400 },
    { path: 'rpc/contact_page', body: { page_size: 1.5 }, isOurs: false, status: 400 },
    { path: 'rpc/undo_batch', body: { batch: nobody }, isOurs: false, status: 404 },
    // Not what the function takes, or no such function.
    { path: 'rpc/contact_page', body: { nobody: 1 }, isOurs: false, status: 404 },
    { path: 'rpc/contact_page', body: { 'a" => 1); --': 1 }, isOurs: false, status: 404 },
    { path: 'rpc/update_contacts', body: { filter: {} }, isOurs: false, status: 404 },
    { path: 'rpc/nothing_here', isOurs: false, status: 404 },
    // Not as our client sends it.
    { path: 'rpc/contact_page', body: '{', isOurs: false, status: 400 },
    { path: 'rpc/contact_page', body: '[]', isOurs: false, status: 200 },
    { path: 'rpc/contact_page', body: nested(100_000), isOurs: false, status: 400 },
    { path: 'rpc/contact_page?select=rows', isOurs: false, status: 400 },
  ]
  test.each(cases)('is answered as by the library: $path $body', async (sent) => {
    const { isOurs, status, ...request } = sent
    expect(await both(me, { body: {}, ...request })).toMatchObject({ status, isLibrarys: !isOurs })
  })

  test('needs the key, and a token of a session that has not ended', async () => {
    const leaving = await database().signUp()
    expect(await send(leaving, { path: 'rpc/contact_page', body: {} })).toMatchObject({
      status: 200,
    })
    await leaving.client.auth.signOut()
    const ended = await both(leaving, { path: 'rpc/contact_page', body: {} })
    expect(ended).toMatchObject({ status: 401, body: { code: 'PGRST301' }, isLibrarys: false })
    const asked = { path: 'rpc/contact_page', body: {} }
    for (const apikey of ['', 'sb_publishable_other']) {
      expect(await send(me, { ...asked, headers: { apikey } })).toMatchObject({ status: 401 })
    }
    expect((await send({ token: '' }, asked)).status).toBe(401)
    for (const token of ['x.y.z', `${me.token}x`, me.token.slice(0, -2)]) {
      expect((await both({ token }, asked)).status).toBe(401)
    }
  })

  test('a function that chooses its own answer runs once', async () => {
    const { query, connection } = database()
    await query(`create function public.choose() returns text language sql security definer set search_path = ''
      as $$ insert into public.companies (user_id, name) values (auth.uid(), 'Chosen');
            select set_config('response.status', '201', true) $$`)
    onTestFinished(async () => {
      await query('drop function public.choose')
      await connection.clearSchemaCache()
    })
    await connection.clearSchemaCache()
    expect(await send(me, { path: 'rpc/choose', body: {} })).toMatchObject({
      status: 201,
      body: '201',
    })
    const { data } = await me.client.from('companies').select('name')
    expect(data).toEqual([{ name: 'Chosen' }])
  })
})
