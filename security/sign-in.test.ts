import { describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { type Answer, ask, signUp } from './attacker.ts'

// The limits one by one: server/limits.test.ts. Here what is left of an attack of many attempts.

const limit = 20
const attempts = isLong ? 1000 : 200

type Attempt = { email: string; password: string; from: string }

const signIn = ({ email, password, from }: Attempt) =>
  ask('/auth/v1/token?grant_type=password', { method: 'POST', body: { email, password }, from })

/** All attempts, fifty at a time. */
async function attack(next: (turn: number) => Attempt): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let turn = 0; turn < attempts; turn += 50) {
    const some = Array.from({ length: 50 }, (_, place) => signIn(next(turn + place)))
    answers.push(...(await Promise.all(some)))
  }
  return answers
}

function expectLimited(answers: Answer[]): void {
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(limit)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(attempts - limit)
  for (const { headers, json } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(json).toMatchObject({ error_code: 'over_request_rate_limit' })
  }
}

describe(`of ${attempts} attempts to sign in, 20 are looked at and the others are told to wait (429)`, () => {
  test('from one address, at as many accounts', async () => {
    const owner = await signUp()
    const from = '172.16.0.1'
    expectLimited(
      await attack((turn) => ({ email: `a${turn}@example.com`, password: `guess-${turn}`, from })),
    )
    // Nor does the right password help there; elsewhere its owner signs in as ever.
    expect((await signIn({ ...owner, from })).status).toBe(429)
    expect((await signIn({ ...owner, from: '172.16.0.2' })).status).toBe(200)
  })

  test('at one account, from as many addresses', async () => {
    const { email } = await signUp()
    expectLimited(
      await attack((turn) => ({
        email: turn % 2 ? email : email.toUpperCase(),
        password: `guess-${turn}`,
        from: `172.17.${turn >> 8}.${turn % 256}`,
      })),
    )
  })
})

test('a wrong password is answered like an unknown account', async () => {
  const { email } = await signUp()
  const wrong = await signIn({ email, password: 'guess-1', from: '172.18.0.1' })
  const unknown = await signIn({ email: `x${email}`, password: 'guess-1', from: '172.18.0.2' })
  expect([wrong.status, wrong.text]).toEqual([400, unknown.text])
  expect(unknown.status).toBe(400)
})
