import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Report } from '#domain/report.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { writeRows } from './random-sales.ts'
import { add } from './samples.ts'

type Part = {
  total: number
  rows: { name?: string; title?: string; from?: string | null; to?: string }[]
}
type Figures = Record<string, number | string>
type Review = { first_day: string; last_day: string; figures: Figures; before: Figures } & Record<
  'won' | 'lost' | 'new' | 'moved' | 'late_deals' | 'late_tasks' | 'next_deals' | 'next_tasks',
  Part
> & { calls: { total: number; rows: { name: string; kind: string }[] } }

/** A Wednesday. */
const at = '2026-11-18T12:00:00Z'

onAnyDatabase((database) => {
  let owner: Account
  let stages: { id: string; name: string; pipeline_id: string }[]
  let pipeline: string

  beforeEach(async () => {
    owner = await database().signUp()
    stages = await ok(owner.client.from('pipeline_stages').select('id, name, pipeline_id'))
    pipeline = stages[0]?.pipeline_id ?? ''
  })

  const stage = (name: string) => stages.find((each) => each.name === name)?.id ?? ''
  const review = async (args: object = {}, who = owner) =>
    (await ok(who.client.rpc('week_review', { at, ...args } as never))) as unknown as Review
  const names = ({ rows }: Part) => rows.map(({ name, title }) => name ?? title)

  /** Closed at a moment that only the owner of the database can choose. */
  const closed = (name: string, to: string, closed_at: string, value = 100) =>
    writeRows(database(), owner, 'deals', [
      {
        id: randomUUID(),
        name,
        value,
        order: 0,
        pipeline_id: pipeline,
        stage_id: stage(to),
        closed_at,
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
        custom: {},
        tags: [],
      },
    ])

  test('what was won in the week, against the week before, in the zone and with the first day of the user', async () => {
    await closed('Monday', 'Closed Won', '2026-11-16T00:30:00Z', 100)
    await closed('Sunday', 'Closed Won', '2026-11-15T12:00:00Z', 40)
    const utc = await review()
    expect([utc.first_day, utc.last_day]).toEqual(['2026-11-16', '2026-11-22'])
    expect(names(utc.won)).toEqual(['Monday'])
    expect([utc.figures.won_value, utc.before.won_value].map(Number)).toEqual([100, 40])
    // In New York it was Sunday still, the last day of the week before.
    const west = await review({ time_zone: 'America/New_York' })
    expect(west.won.total).toBe(0)
    const fromSunday = await review({ time_zone: 'America/New_York', week_start: 0 })
    expect(fromSunday.first_day).toBe('2026-11-15')
    expect(names(fromSunday.won)).toEqual(['Monday', 'Sunday'])
  })

  test('each kind is at its place: moved, new, called, late, next', async () => {
    await database().query(
      'update public.preferences set time_zone = ? where user_id = ?',
      'UTC',
      owner.id,
    )
    const deal = await add(owner, 'deals', {
      name: 'Expected',
      stage_id: stage('Lead'),
      expected_close_date: '2026-11-17',
    })
    await ok(
      owner.client
        .from('deals')
        .update({ stage_id: stage('Proposal') })
        .eq('id', deal.id)
        .select(),
    )
    await add(owner, 'deals', { name: 'Next', expected_close_date: '2026-11-24' })
    await add(owner, 'tasks', { title: 'Late', due_date: '2026-11-17T10:00:00Z' })
    await add(owner, 'tasks', { title: 'Later today', due_date: '2026-11-18T15:00:00Z' })
    await add(owner, 'tasks', { title: 'Next week', due_date: '2026-11-23T10:00:00Z' })
    await add(owner, 'notes', {
      kind: 'call',
      body: 'Talked',
      happened_at: '2026-11-17T09:00:00Z',
      contact_id: null,
      deal_id: deal.id,
    })
    for (const mail of [{}, { direction: 'in' }, { is_automatic: true }, { is_private: true }]) {
      await add(owner, 'mails', { direction: 'out', sent_at: '2026-11-17T09:00:00Z', ...mail })
    }
    // The log has the time of this run.
    await database().query(
      'update public.changes set created_at = ? where user_id = ?',
      at,
      owner.id,
    )
    const week = await review()
    expect(week.moved).toMatchObject({
      total: 1,
      rows: [{ name: 'Expected', from: 'Lead', to: 'Proposal' }],
    })
    expect(names((await review({ at: new Date().toISOString() })).new).sort()).toEqual([
      'Expected',
      'Next',
    ])
    expect(week.figures).toMatchObject({ calls: 1, mails: 1, emails: 0 })
    const report = (await ok(owner.client.rpc('report', { at }))) as unknown as Report
    expect(report.weeks.at(-1)).toEqual({
      ...{ week: '2026-11-16', note: 0, call: 1, meeting: 0, mail: 1, email: 0, task: 0 },
    })
    expect(week.calls).toMatchObject({ total: 1, rows: [{ kind: 'deals', name: 'Expected' }] })
    expect(names(week.late_deals)).toEqual(['Expected'])
    expect(names(week.late_tasks)).toEqual(['Late'])
    expect(names(week.next_deals)).toEqual(['Next'])
    expect(names(week.next_tasks)).toEqual(['Next week'])
  })

  test('a deal that went there and back has not moved', async () => {
    const { id } = await add(owner, 'deals', { name: 'Back', stage_id: stage('Lead') })
    for (const to of ['Proposal', 'Lead']) {
      await ok(
        owner.client
          .from('deals')
          .update({ stage_id: stage(to) })
          .eq('id', id)
          .select(),
      )
    }
    expect((await review({ at: new Date().toISOString() })).moved.total).toBe(0)
  })

  test('nobody sees a week of somebody else, and nobody without a session any', async () => {
    await closed('Mine', 'Closed Won', at)
    const stranger = await database().signUp()
    expect((await review({}, stranger)).won.total).toBe(0)
    expect(await database().anonymous.rpc('week_review')).toMatchObject({ status: 401 })
    expect(await owner.client.rpc('week_review', { day: '9999-01-01' })).toMatchObject({
      status: 400,
    })
    expect(await owner.client.rpc('week_review', { week_start: 9 })).toMatchObject({ status: 400 })
  })

  describe('periods', () => {
    const compare = async (args: object) =>
      (await ok(
        owner.client.rpc('compare_periods', {
          first_day: '2026-11-01',
          last_day: '2026-11-30',
          before_first: '2026-10-01',
          before_last: '2026-10-31',
          ...args,
        }),
      )) as unknown as { now: Figures; before: Figures }

    test('are compared, and a filter of the reports holds for their deals', async () => {
      await closed('Won now', 'Closed Won', '2026-11-30T23:00:00Z', 300)
      await closed('Won before', 'Closed Won', '2026-10-01T00:00:00Z', 200)
      expect(await compare({})).toMatchObject({
        now: { won: 1, won_value: '300.00' },
        before: { won: 1, won_value: '200.00' },
      })
      expect(await compare({ filter: { stage: ['none'] } })).toMatchObject({
        now: { won: 0 },
        before: { won: 0 },
      })
    })
  })

  describe('the goal of the month', () => {
    const progress = async (who = owner) =>
      (await ok(who.client.rpc('goal_progress', { at, time_zone: 'UTC' }))) as unknown as {
        won: string
        deals: number
        last_day: string
      }
    const setGoal = (monthly_goal: number | null) =>
      owner.client.from('preferences').update({ monthly_goal }).eq('user_id', owner.id).select()

    test('counts what was won this month, in the currency of the account', async () => {
      await closed('Now', 'Closed Won', '2026-11-01T00:00:00Z', 250)
      await closed('Before', 'Closed Won', '2026-10-31T23:59:59Z', 999)
      expect(await progress()).toMatchObject({ won: '250.00', deals: 1, last_day: '2026-11-30' })
      const stranger = await database().signUp()
      expect(await progress(stranger)).toMatchObject({ won: '0', deals: 0 })
    })

    test('is above zero, and follows the account into another currency', async () => {
      expect(await setGoal(0)).toMatchObject({ status: 400 })
      await ok(setGoal(1000))
      await ok(
        owner.client.rpc('change_currency', { currency: 'EUR', keep: true, rate: 0.8 } as never),
      )
      expect(
        await ok(owner.client.from('preferences').select('monthly_goal').single()),
      ).toMatchObject({ monthly_goal: 800 })
      await ok(setGoal(null))
    })
  })
})
