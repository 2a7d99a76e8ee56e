import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { claimsOf } from '../supabase/tests/forged-tokens.ts'
import { type SampleTable, samples } from '../supabase/tests/samples.ts'
import { ask, type Person, signUp } from './attacker.ts'
import { everythingOf, makeVictim, type Victim } from './victim.ts'

// Changes of user_id, id and stamps, table by table: supabase/tests/access.test.ts. Here the ways around it:
// in a new row, in a row put in place of another, in a list of rows, in what functions are given.

const names = Object.keys(samples) as SampleTable[]

let victim: Victim
let attacker: Person
let before: string
beforeAll(async () => {
  victim = await makeVictim()
  attacker = await signUp()
  before = await everythingOf(victim)
})

const post = (path: string, body: unknown, prefer = 'return=representation') =>
  ask(`/rest/v1/${path}`, { method: 'POST', body, token: attacker.token, headers: { prefer } })

describe('what is not the client’s to write is refused with 403', () => {
  test.each(names)('in a new row of %s', async (name) => {
    const row = await samples[name](attacker)
    for (const taken of [
      { user_id: victim.id },
      { created_at: '2000-01-01' },
      { updated_at: '2000-01-01' },
      { search_text: 'x' },
    ]) {
      if ('search_text' in taken && !['contacts', 'companies', 'deals', 'tasks'].includes(name))
        continue
      // What the database computes itself it refuses before it asks who may.
      const refusal = 'search_text' in taken ? 400 : 403
      for (const body of [{ ...row, ...taken }, [row, { ...row, ...taken }]]) {
        const answer = await post(`${name}?columns=${Object.keys({ ...row, ...taken })}`, body)
        expect(answer.status, JSON.stringify(taken) + answer.text).toBe(refusal)
      }
    }
  })

  test('in a row that takes the place of another’s', async () => {
    const { id } = await victim.client
      .from('companies')
      .select('id')
      .limit(1)
      .single()
      .then(({ data }) => ({ id: data?.id ?? '' }))
    for (const resolution of ['merge-duplicates', 'ignore-duplicates']) {
      const answer = await post(
        'companies',
        { id, name: 'Taken' },
        `resolution=${resolution},return=representation`,
      )
      expect(answer.text).not.toContain('Taken')
    }
    const plain = await post('companies', { id, name: 'Taken' })
    expect([plain.status, plain.text.includes(victim.mark)]).toEqual([409, false])
    const put = await ask(`/rest/v1/companies?id=eq.${id}`, {
      method: 'PUT',
      body: { id, name: 'Taken' },
      token: attacker.token,
    })
    expect(put.status).toBeGreaterThanOrEqual(400)
    expect(put.status).toBeLessThan(500)
  })

  test('the log: no way to add, change or take away a line of it', async () => {
    await post('companies', { name: 'Mine' })
    const line = {
      user_id: attacker.id,
      batch: randomUUID(),
      table_name: 'companies',
      row_id: randomUUID(),
      verb: 'delete',
    }
    const { token } = attacker
    for (const asked of [
      { method: 'POST', body: line },
      { method: 'POST', body: [line] },
      { method: 'PATCH', body: { label: 'x' } },
      { method: 'PATCH', body: { user_id: victim.id } },
      { method: 'DELETE' },
    ]) {
      const answer = await ask('/rest/v1/changes?id=gt.0', { ...asked, token })
      expect([answer.status, answer.json], asked.method).toMatchObject([403, { code: '42501' }])
    }
  })

  test('the account itself: what a user tells of themselves gives no right', async () => {
    const person = await signUp()
    const told = { role: 'service_role', is_super_admin: true, sub: victim.id, user_id: victim.id }
    const answer = await ask('/auth/v1/user', {
      method: 'PUT',
      body: {
        data: told,
        app_metadata: told,
        role: 'service_role',
        id: victim.id,
        email_confirmed_at: 'now',
      },
      token: person.token,
    })
    // Told and kept, it is a text like any other.
    const kept = { id: person.id, role: 'authenticated', user_metadata: told }
    expect(answer.json).toMatchObject(kept)
    expect(answer.json).not.toHaveProperty('app_metadata.role')
    expect(answer.json).not.toHaveProperty('app_metadata.is_super_admin')
    const { text } = await ask('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      body: { refresh_token: person.refreshToken },
    })
    const { access_token: token } = JSON.parse(text)
    expect(claimsOf(token)).toMatchObject({
      sub: person.id,
      role: 'authenticated',
    })
    expect((await ask('/rest/v1/companies', { token })).json).toEqual([])
  })

  test('and the victim’s rows are as they were', async () => {
    expect(await everythingOf(victim)).toBe(before)
  })
})
