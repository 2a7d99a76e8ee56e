import { beforeAll, expect, test } from 'vitest'
import { sender } from './both-ways.ts'
import { type Account, ok, onEachDatabase } from './harness.ts'
import { add } from './samples.ts'

onEachDatabase((database) => {
  const { send, both } = sender(database)
  let me: Account
  beforeAll(async () => {
    me = await database().signUp()
    const other = await database().signUp()
    await add(other, 'contacts', { first_name: 'Not mine' })
    const people = [
      { first_name: 'Zoë "Z" \\ 😀', lead_score: 12.5, notes: 'two\nlines\t\u2028' },
      { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
      { first_name: 'Łukasz', phone_number: '+49 30 1', lead_status: 'Qualified' },
    ]
    await ok(me.client.from('contacts').insert(people).select())
    await add(me, 'deals', { value: 1200.5, expected_close_date: '2026-12-24' })
    await add(me, 'tasks', {
      due_date: '2026-12-24T10:00:00.25Z',
      repeat: 'weekly',
      repeat_days: [1, 3],
    })
  })

  const nobody = crypto.randomUUID()
  test.each([
    'contacts',
    'contacts?select=*',
    'contacts?select=id,first_name,lead_score,created_at&order=first_name.desc&limit=2',
    'contacts?select=first_name&order=last_name.asc.nullsfirst,first_name&offset=1',
    'contacts?select=first_name&order=last_name.desc.nullslast,first_name.asc',
    'contacts?select=first_name&limit=0',
    'contacts?select=first_name&offset=50',
    'contacts?select=first_name&first_name=eq.Ada Lovelace',
    'contacts?select=first_name&limit=99999&order=id',
    'contacts?select=first_name&first_name=eq.Ada',
    'contacts?select=first_name&first_name=eq.%C5%81ukasz',
    'contacts?select=first_name&email=neq.ada@example.com',
    'contacts?select=first_name&email=eq.',
    'contacts?select=first_name&lead_score=gte.12.5',
    'contacts?select=first_name&created_at=lt.2020-01-01T00:00:00.000Z',
    'contacts?select=first_name&created_at=gt.2020-01-01T00:00:00%2B00:00&order=first_name',
    'contacts?select=first_name&email=is.null&order=first_name',
    `contacts?id=eq.${nobody}`,
    'deals?select=name,value,order,expected_close_date,closed_at',
    'deals?select=name&expected_close_date=lte.2026-12-24',
    'tasks',
    'tasks?select=title&completed=eq.false',
    'tasks?select=title&completed=is.true',
    'changes?select=table_name,verb,after&verb=eq.insert&order=id&limit=3',
    'pipeline_stages?select=name,order,win_probability&order=order',
  ])('is answered as by the library, in short: %s', async (path) => {
    expect(await both(me, { path })).toMatchObject({ status: 200, isLibrarys: false })
  })

  test.each([
    ['contacts?select=nothing', 400],
    ['contacts?select=first_name,company:company_id(name)', 200],
    ['contacts?select=first_name::text', 200],
    ['contacts?select=name:first_name', 200],
    ['contacts?select=', 200],
    ['contacts?order=nothing', 400],
    ['contacts?order=first_name.sideways', 400],
    ['contacts?limit=-1', 416],
    ['contacts?limit=x', 200],
    ['contacts?first_name=eq."Ada"', 200],
    ['contacts?first_name=in.(Ada,Grace)', 200],
    ['contacts?first_name=ilike.*a*', 200],
    ['contacts?first_name=not.is.null', 200],
    ['contacts?or=(first_name.eq.Ada,last_name.eq.x)', 200],
    ['contacts?first_name=Ada', 400],
    ['contacts?nothing=eq.1', 400],
    ['contacts?id=eq.1', 400],
    ['contacts?lead_score=eq.many', 400],
    ['contacts?select=id&select=id', 200],
    ['contacts?first_name=eq.Ada&first_name=neq.Zoe', 200],
    ["contacts?first_name=eq.'; drop table x; --", 200],
    ['contacts"?select=id', 404],
    ['nothing_here', 404],
  ])('is asked of the library: %s', async (path, status) => {
    const answer = await both(me, { path })
    expect(answer).toMatchObject({ status, isLibrarys: true })
  })

  test('shows nobody the rows of another, nor anything after the session has ended', async () => {
    const stranger = await database().signUp()
    const path = 'contacts?select=first_name'
    expect(await both(stranger, { path })).toMatchObject({ body: [], isLibrarys: false })
    await stranger.client.auth.signOut()
    expect(await both(stranger, { path })).toMatchObject({ status: 401, isLibrarys: false })
    expect((await send({ token: '' }, { path })).status).toBe(401)
    for (const token of ['x.y.z', `${me.token}x`]) {
      expect((await both({ token }, { path })).status).toBe(401)
    }
    expect((await send(me, { path, headers: { apikey: 'other' } })).status).toBe(401)
  })
})
