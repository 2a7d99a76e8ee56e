import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { seeded } from '../supabase/tests/random-sales.ts'
import { type Answer, ask, expectSound } from './attacker.ts'
import { type RandomRequest, requestMaker } from './random-requests.ts'
import { everythingOf, leaked, makeVictim, type Victim } from './victim.ts'

const { catalogue, logFile } = inject('attacked')
/** How many requests each of the two users sends. */
const each = isLong ? 25_000 : 15
const atOnce = 8
/** A busy machine is no failure; a request that hangs never ends. */
const patience = 20_000

function inTime(answer: Promise<Answer>, what: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in time: ${what}`)), patience)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Sends requests as this user, and now and then as nobody, which shall show and change nothing of the other. */
async function fire(attacker: Victim, victim: Victim, seed: number): Promise<Map<number, number>> {
  const random = seeded(seed)
  const ids = { mine: [...attacker.known, ...attacker.hidden], theirs: victim.known }
  const next = requestMaker(catalogue, random, ids)
  const statuses = new Map<number, number>()
  async function send({ path, ...asked }: RandomRequest, who: string | undefined): Promise<void> {
    const whole = `${asked.method} ${path} ${JSON.stringify(asked)}`
    const what = whole.slice(0, 2000)
    const token = who === undefined ? {} : { token: who }
    const answer = await inTime(ask(path, { ...asked, ...token }), what)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    // What is told may stand anywhere in what was asked.
    expectSound(answer, whole)
    expect(leaked(victim, answer.text), what).toEqual([])
  }
  for (let turn = 0; turn < each; turn += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, () => {
        const request = next()
        return send(request, random() < 0.05 ? undefined : attacker.token)
      }),
    )
  }
  return statuses
}

test(`${2 * each} random requests: no failure, no hang, no row, id or text of another user`, async () => {
  const [one, other] = [await makeVictim(), await makeVictim()]
  for (const [attacker, victim, seed] of [
    [one, other, 20261115],
    [other, one, 5111620],
  ] as const) {
    const before = await everythingOf(victim)
    const statuses = await fire(attacker, victim, seed)
    // Were all of them refused at the door, nothing would be proved.
    expect(statuses.get(200)).toBeGreaterThan(each / 10)
    expect(await everythingOf(victim)).toBe(before)
  }
  expect((await ask('/health')).status).toBe(200)
  expect(readFileSync(logFile, 'utf8')).not.toMatch(/Unhandled|Uncaught|failed:/)
}, 3_600_000)
