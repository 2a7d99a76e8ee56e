import { beforeAll, describe, expect, test } from 'vitest'
import { dayOf } from '#domain/dates.ts'
import { outcomeNamed } from '#domain/deal.ts'
import type { Report, ReportFilter } from '#domain/report.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import {
  randomSales,
  type Sales,
  type SoldDeal,
  type Stage,
  seeded,
  writeRows,
} from './random-sales.ts'
import { add } from './samples.ts'

type Added = { total: number; recent: number; before: number }
type Dashboard = {
  contacts: Added
  companies: Added
  deals: Added & {
    open: number
    value: string
    value_recent: string
    value_before: string
    won: string
  }
  has_tasks: boolean
  has_samples: boolean
  overdue: { total: number; rows: { id: string }[] }
  today: { total: number; rows: { id: string }[] }
  attention: {
    total: number
    rows: {
      id: string
      has_next: boolean
      is_stale: boolean
      stage_since: string | null
      company_id: string | null
      contact: { id: string } | null
    }[]
  }
}

const at = '2026-11-15T20:30:00Z'
const now = Date.parse(at)
const day = 86_400_000
const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']

/** Sums of cents, so that nothing is lost by adding. */
const money = (deals: { value: number }[]) =>
  (deals.reduce((sum, { value }) => sum + Math.round(value * 100), 0) / 100).toFixed(2)
const asMoney = (text: string) => Number(text).toFixed(2)

onAnyDatabase((database) => {
  let owner: Account
  let other: Account
  let sales: Sales
  let stages: Stage[]

  const stageOf = ({ stage_id }: SoldDeal) => stages.find(({ id }) => id === stage_id)?.name ?? null
  const isOpen = (deal: SoldDeal) => outcomeNamed(stageOf(deal) ?? '') === 'open'

  beforeAll(async () => {
    owner = await database().signUp()
    other = await database().signUp()
    for (const account of [owner, other]) {
      const made = await ok(account.client.rpc('create_pipeline', { name: 'Partners' }).select())
      await add(account, 'pipeline_stages', {
        name: 'Closed Lost',
        pipeline_id: (made as { id: string }).id,
        order: 6,
        win_probability: 0,
      })
      const found = await ok(account.client.from('pipeline_stages').select('*').order('id'))
      // Ids are the database's own; the seed must meet them in an order that is always the same.
      const sorted = found.toSorted((one, two) =>
        `${one.order} ${one.name}`.localeCompare(`${two.order} ${two.name}`),
      )
      const made_up = randomSales(seeded(account === owner ? 7 : 11), now, sorted)
      for (const name of ['companies', 'contacts', 'deals', 'tasks', 'notes'] as const) {
        await writeRows(database(), account, name, made_up[name])
      }
      if (account === owner) [sales, stages] = [made_up, sorted]
    }
  })

  const dashboard = async (time_zone = 'UTC', account = owner, moment = at) =>
    (await ok(account.client.rpc('dashboard', { at: moment, time_zone }))) as Dashboard

  const report = async (args: object = {}, account = owner) =>
    (await ok(account.client.rpc('report', { at, ...args } as never))) as unknown as Report

  describe('the dashboard', () => {
    test('its four cards are what plain queries count and sum', async () => {
      const { contacts, companies, deals } = await dashboard()
      const created = (rows: { created_at: string }[], from: number, to: number) =>
        rows.filter(({ created_at }) => {
          const age = now - Date.parse(created_at)
          return age <= from * day && age > to * day
        })
      const counts = (rows: { created_at: string }[]) => ({
        total: rows.length,
        recent: created(rows, 30, -1).length,
        before: created(rows, 60, 30).length,
      })
      expect(contacts).toEqual(counts(sales.contacts))
      expect(companies).toEqual(counts(sales.companies))
      expect(deals).toMatchObject(counts(sales.deals))
      expect(deals.open).toBe(sales.deals.filter(isOpen).length)
      expect(asMoney(deals.value)).toBe(money(sales.deals))
      expect(asMoney(deals.value_recent)).toBe(money(created(sales.deals, 30, -1) as SoldDeal[]))
      expect(asMoney(deals.value_before)).toBe(money(created(sales.deals, 60, 30) as SoldDeal[]))
      expect(asMoney(deals.won)).toBe(
        money(sales.deals.filter((deal) => stageOf(deal) === 'Closed Won')),
      )
    })

    test.each(zones)('its tasks are those of the local day in %s', async (zone) => {
      const { today, overdue, has_tasks } = await dashboard(zone)
      const due = sales.tasks.filter(({ completed, due_date }) => !completed && due_date)
      const dayOfTask = ({ due_date }: { due_date: string | null }) => dayOf(due_date ?? '', zone)
      const local = dayOf(now, zone)
      const byDue = (one: { due_date: string | null }, two: { due_date: string | null }) =>
        Date.parse(one.due_date ?? '') - Date.parse(two.due_date ?? '')
      const ofToday = due.filter((task) => dayOfTask(task) === local).toSorted(byDue)
      const late = due
        .filter((task) => dayOfTask(task) < local)
        .toSorted(byDue)
        .reverse()
      expect(ofToday.length).toBeGreaterThan(3)
      expect(late.length).toBeGreaterThan(5)
      expect(has_tasks).toBe(true)
      expect(today.total).toBe(ofToday.length)
      expect(today.rows.map(({ id }) => id)).toEqual(ofToday.slice(0, 10).map(({ id }) => id))
      expect(overdue.total).toBe(late.length)
      expect(overdue.rows.map(({ id }) => id)).toEqual(late.slice(0, 5).map(({ id }) => id))
    })

    test('its deals that need a push are open ones without a next task or for 14 days in their stage', async () => {
      const { attention } = await dashboard()
      const all = sales.deals.filter(isOpen).map((deal) => ({
        id: deal.id,
        value: deal.value,
        has_next: sales.tasks.some((task) => task.deal_id === deal.id && !task.completed),
        // Rows that are written with stamps of their own came to their stage when they were last written.
        is_stale: deal.stage_id !== null && now - Date.parse(deal.updated_at) > 14 * day,
        stage_since: deal.stage_id && Date.parse(deal.updated_at),
        company_id: deal.company_id,
        contact_id: deal.contact_id,
      }))
      const needy = all
        .filter(({ has_next, is_stale }) => !has_next || is_stale)
        .toSorted((one, two) => two.value - one.value)
      expect(needy.length).toBeGreaterThan(8)
      expect(needy.length).toBeLessThan(all.length)
      expect(attention.total).toBe(needy.length)
      expect(
        attention.rows.map(({ id, has_next, is_stale, stage_since, company_id, contact }) => ({
          id,
          has_next,
          is_stale,
          stage_since: stage_since && Date.parse(stage_since),
          company_id,
          contact_id: contact?.id ?? null,
        })),
      ).toEqual(needy.slice(0, 8).map(({ value: _, ...deal }) => deal))
    })

    test('an account without anything has nothing but zeros', async () => {
      const empty = await database().signUp()
      const none = { total: 0, recent: 0, before: 0 }
      expect(await dashboard('UTC', empty)).toEqual({
        contacts: none,
        companies: none,
        deals: { ...none, open: 0, value: '0', value_recent: '0', value_before: '0', won: '0' },
        uncounted: {},
        has_tasks: false,
        has_samples: false,
        overdue: { total: 0, rows: [] },
        today: { total: 0, rows: [] },
        attention: { total: 0, rows: [] },
      })
    })
  })

  describe('the report', () => {
    const filters: [string, () => ReportFilter][] = [
      ['everything', () => ({})],
      ['one pipeline', () => ({ pipeline: stages[0]?.pipeline_id ?? '' })],
      [
        'two stages and deals without one',
        () => ({ stage: ['none', stages[0]?.id ?? '', stages.at(-1)?.id ?? ''] }),
      ],
      ['a period', () => ({ from: '2026-07-20', to: '2026-10-02' })],
      ['a period without an end', () => ({ from: '2026-09-15' })],
      ['a period without a beginning', () => ({ to: '2026-12-31' })],
    ]

    /** The same figures from the rows themselves. */
    function expected(filter: ReportFilter, zone: string, chosen: string) {
      const today = dayOf(now, zone)
      const { pipeline, stage, from = '0000', to = '9999' } = filter
      const isWithin = (one: string | null) => one !== null && one >= from && one <= to
      const found = sales.deals.filter(
        (deal) =>
          (!pipeline || deal.pipeline_id === pipeline) &&
          (!stage || stage.includes(deal.stage_id ?? 'none')),
      )
      const created = found.filter(({ created_at }) => isWithin(dayOf(created_at, zone)))
      const closed = found.filter((deal) => deal.closed_at && isWithin(dayOf(deal.closed_at, zone)))
      const won = closed.filter((deal) => stageOf(deal) === 'Closed Won')
      const lost = closed.filter((deal) => stageOf(deal) === 'Closed Lost')
      const upcoming = found
        .filter(({ expected_close_date: close }) => isWithin(close) && (close ?? '') >= today)
        .toSorted((one, two) =>
          `${one.expected_close_date} ${one.id}`.localeCompare(
            `${two.expected_close_date} ${two.id}`,
          ),
        )
      const daysToClose = won
        .map(({ closed_at, created_at }) => Date.parse(closed_at ?? '') - Date.parse(created_at))
        .toSorted((one, two) => one - two)
        .map((length) => length / day)
      const middle = (daysToClose.length - 1) / 2
      const median =
        ((daysToClose[Math.floor(middle)] ?? 0) + (daysToClose[Math.ceil(middle)] ?? 0)) / 2
      const average = daysToClose.reduce((sum, each) => sum + each, 0) / daysToClose.length
      return {
        found,
        created,
        won,
        lost,
        upcoming,
        figures: {
          contacts_added: sales.contacts.filter((c) => dayOf(c.created_at, zone) === chosen).length,
          companies_added: sales.companies.filter((c) => dayOf(c.created_at, zone) === chosen)
            .length,
          deals_created: found.filter((deal) => dayOf(deal.created_at, zone) === chosen).length,
          total_deals: created.length,
          active_deals: created.filter(isOpen).length,
          upcoming_closes: upcoming.length,
          won: won.length,
          lost: lost.length,
        },
        money: { revenue_closed: money(won), total_value: money(created) },
        days: won.length > 0 ? { average, median } : null,
      }
    }

    test.each(
      filters.flatMap(([name, filter]) => zones.map((zone) => [name, zone, filter] as const)),
    )('of %s in %s is what plain queries say', async (_name, zone, makeFilter) => {
      const filter = makeFilter()
      const chosen = dayOf(sales.deals[3]?.created_at ?? '', zone)
      const answer = await report({ day: chosen, filter, time_zone: zone })
      const plain = expected(filter, zone, chosen)
      expect(answer).toMatchObject(plain.figures)
      expect(asMoney(answer.revenue_closed)).toBe(plain.money.revenue_closed)
      expect(asMoney(answer.total_value)).toBe(plain.money.total_value)
      expect(answer.average_days ?? -1).toBeCloseTo(plain.days?.average ?? -1, 0)
      expect(answer.median_days ?? -1).toBeCloseTo(plain.days?.median ?? -1, 0)
      expect(answer.upcoming.map(({ id }) => id)).toEqual(
        plain.upcoming.slice(0, 10).map(({ id }) => id),
      )
      expect(answer.deals.map(({ id }) => id)).toEqual(
        plain.created
          .toSorted((one, two) => Date.parse(two.created_at) - Date.parse(one.created_at))
          .slice(0, 20)
          .map(({ id }) => id),
      )

      // The charts.
      const bySum = (deals: SoldDeal[], key: (deal: SoldDeal) => string) =>
        Object.fromEntries(
          [...new Set(deals.map(key))].map((each) => {
            const some = deals.filter((deal) => key(deal) === each)
            return [each, { count: some.length, value: money(some) }]
          }),
        )
      const named = answer.stages
        .filter(({ count }) => count > 0)
        .map(({ name, count, value }) => [name ?? '', { count, value: asMoney(value) }])
      expect(Object.fromEntries(named)).toEqual(bySum(plain.created, (deal) => stageOf(deal) ?? ''))
      const months = (deals: SoldDeal[]) =>
        bySum(deals, ({ closed_at }) => `${dayOf(closed_at ?? '', zone).slice(0, 7)}-01`)
      const [wonThen, lostThen] = [months(plain.won), months(plain.lost)]
      for (const { month, won, won_value, lost, lost_value } of answer.months) {
        expect(won).toBe(wonThen[month]?.count ?? 0)
        expect(asMoney(won_value)).toBe(wonThen[month]?.value ?? '0.00')
        expect(lost).toBe(lostThen[month]?.count ?? 0)
        expect(asMoney(lost_value)).toBe(lostThen[month]?.value ?? '0.00')
      }
      const shown = answer.months.map(({ month }) => month)
      expect(Object.keys({ ...wonThen, ...lostThen }).every((month) => shown.includes(month))).toBe(
        true,
      )
      const reasons = bySum(plain.lost, ({ lost_reason }) => lost_reason?.toLowerCase() ?? '')
      expect(
        Object.fromEntries(
          answer.lost_reasons.map(({ reason, count, value }) => [
            reason?.toLowerCase() ?? '',
            { count, value: asMoney(value) },
          ]),
        ),
      ).toEqual(reasons)
      checkForecast(answer, plain.found.filter(isOpen), filter, zone)
      checkWeeks(answer, filter, zone)
    })

    function checkForecast(answer: Report, open: SoldDeal[], filter: ReportFilter, zone: string) {
      const today = dayOf(now, zone)
      const hasPeriod = filter.from !== undefined || filter.to !== undefined
      const months = answer.forecast.filter(({ kind }) => kind === 'month')
      const last = `${(months.at(-1)?.month ?? '').slice(0, 7)}-31`
      const first = filter.from ?? (filter.to && filter.to < today ? filter.to : today)
      const weight = (deal: SoldDeal) =>
        stages.find(({ id }) => id === deal.stage_id)?.win_probability ?? 0
      const check = (line: Report['forecast'][number] | undefined, deals: SoldDeal[]) => {
        expect(line?.count ?? 0).toBe(deals.length)
        expect(asMoney(line?.value ?? '0')).toBe(money(deals))
        const weighted = deals.reduce((sum, deal) => sum + (deal.value * weight(deal)) / 100, 0)
        expect(Number(line?.weighted ?? 0)).toBeCloseTo(weighted, 1)
      }
      for (const line of months) {
        check(
          line,
          open.filter(({ expected_close_date: close }) => {
            const isMonth = close?.slice(0, 7) === line.month?.slice(0, 7)
            return isMonth && (close ?? '') >= first && (close ?? '') <= (filter.to ?? '9999')
          }),
        )
      }
      const of = (kind: string) => answer.forecast.find((line) => line.kind === kind)
      const dated = open.filter(({ expected_close_date }) => expected_close_date !== null)
      const close = (deal: SoldDeal) => deal.expected_close_date ?? ''
      check(of('none'), hasPeriod ? [] : open.filter((deal) => close(deal) === ''))
      check(of('overdue'), hasPeriod ? [] : dated.filter((deal) => close(deal) < today))
      check(of('later'), hasPeriod ? [] : dated.filter((deal) => close(deal) > last))
    }

    function checkWeeks(answer: Report, { from, to }: ReportFilter, zone: string) {
      const end = to ?? dayOf(now, zone)
      const begin = from ?? answer.weeks[0]?.week ?? ''
      for (const { week, ...counts } of answer.weeks) {
        expect(new Date(`${week}T12:00:00Z`).getUTCDay()).toBe(1)
        const next = new Date(Date.parse(`${week}T12:00:00Z`) + 7 * day).toISOString().slice(0, 10)
        const isThen = (moment: string | null) => {
          const local = moment ? dayOf(moment, zone) : ''
          return local >= week && local < next && local >= begin && local <= end
        }
        const notes = sales.notes.filter(({ happened_at }) => isThen(happened_at))
        const ofKind = (kind: string) => notes.filter((note) => note.kind === kind).length
        expect(counts).toEqual({
          note: ofKind('note'),
          call: ofKind('call'),
          meeting: ofKind('meeting'),
          mail: 0,
          email: ofKind('email'),
          task: sales.tasks.filter(({ completed_at }) => isThen(completed_at)).length,
        })
      }
    }

    test('the queries of the specification return what it shows', async () => {
      const { client, id } = owner
      const answer = await report({ day: '2026-11-10' })
      const [begin, end] = ['2026-11-10T00:00:00.000Z', '2026-11-10T23:59:59.999Z']
      const onTheDay = async (table: 'contacts' | 'companies' | 'deals') =>
        (
          await ok(
            client
              .from(table)
              .select('id')
              .eq('user_id', id)
              .gte('created_at', begin)
              .lte('created_at', end),
          )
        ).length
      expect(answer.contacts_added).toBe(await onTheDay('contacts'))
      expect(answer.companies_added).toBe(await onTheDay('companies'))
      expect(answer.deals_created).toBe(await onTheDay('deals'))
      type Read = SoldDeal & {
        stage: { name: string } | null
        company: { name: string } | null
        contact: { first_name: string; last_name: string | null; email: string | null } | null
      }
      const answered: unknown = await ok(
        client
          .from('deals')
          .select(
            '*, stage:pipeline_stages(name), company:company_id(name), contact:contact_id(first_name, last_name, email)',
          )
          .eq('user_id', id)
          .order('created_at', { ascending: false }),
      )
      const deals = answered as Read[]
      expect(answer.total_deals).toBe(deals.length)
      expect(asMoney(answer.total_value)).toBe(money(deals))
      expect(
        answer.deals.map((deal) => [deal.id, deal.stage_name, deal.company_name, deal.contact]),
      ).toEqual(
        deals
          .slice(0, 20)
          .map((deal) => [
            deal.id,
            deal.stage?.name ?? null,
            deal.company?.name ?? null,
            deal.contact,
          ]),
      )
      expect(answer.active_deals).toBe(
        deals.filter((deal) => outcomeNamed(deal.stage?.name ?? '') === 'open').length,
      )
      const won = await ok(
        client
          .from('deals')
          .select('id, name, value, stage_id, pipeline_stages!inner(name)')
          .eq('user_id', id)
          .eq('pipeline_stages.name', 'Closed Won'),
      )
      expect(asMoney(answer.revenue_closed)).toBe(money(won))
    })

    test('a stage is reached by every deal that was there or further, also if it was lost since', async () => {
      const account = await database().signUp()
      const list = await ok(account.client.from('pipeline_stages').select('id, name'))
      const stage = (name: string) => list.find((each) => each.name === name)?.id ?? ''
      const move = (id: string, name: string) =>
        ok(account.client.rpc('move_deal', { id, stage_id: stage(name) }).select())
      const made = async (name: string) =>
        (await add(account, 'deals', { name, stage_id: stage('Lead') })).id
      await made('Stays a lead')
      await move(await made('Moves on'), 'Qualified')
      const lost = await made('Is lost at the proposal')
      await move(lost, 'Proposal')
      await ok(account.client.rpc('close_deals', { filter: { ids: [lost] }, outcome: 'lost' }))
      await move(await made('Is won'), 'Closed Won')
      const slip = await made('Was moved by mistake')
      await move(slip, 'Negotiation')
      const [change] = await ok(
        account.client.from('changes').select('batch').eq('row_id', slip).eq('verb', 'update'),
      )
      await ok(account.client.rpc('undo_batch', { batch: change?.batch ?? '' }))
      await add(account, 'deals', { name: 'Without a stage' })
      const { conversion } = await report({}, account)
      expect(conversion).toEqual({
        pipeline: 'Sales Pipeline',
        stages: [
          { name: 'Lead', reached: 5 },
          { name: 'Qualified', reached: 3 },
          { name: 'Proposal', reached: 2 },
          { name: 'Negotiation', reached: 1 },
          { name: 'Closed Won', reached: 1 },
        ],
      })
    })

    test.each([
      // A day of 23 hours, and one of 25.
      ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
      ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
      ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
      // The clock goes back from one to midnight: the day has two midnights and begins with the first.
      ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00Z', '2026-10-26T01:00:00Z'],
      // It goes forward from midnight to one: the day has none.
      ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
    ])('%s in %s has its own length', async (chosen, zone, begins, ends) => {
      const account = await database().signUp()
      const around = [begins, ends].flatMap((moment) => [
        new Date(Date.parse(moment) - 1000).toISOString(),
        moment,
      ])
      await writeRows(
        database(),
        account,
        'contacts',
        around.map((created_at) => ({ id: crypto.randomUUID(), first_name: 'A', created_at })),
      )
      const answer = await report({ day: chosen, time_zone: zone }, account)
      expect(answer.contacts_added).toBe(2)
      const tasks = around.map((due_date) => ({
        id: crypto.randomUUID(),
        title: due_date,
        due_date,
        completed: false,
        priority: 'low',
        created_at: begins,
        updated_at: begins,
      }))
      await writeRows(database(), account, 'tasks', tasks)
      const noon = new Date((Date.parse(begins) + Date.parse(ends)) / 2).toISOString()
      const { today, overdue } = await dashboard(zone, account, noon)
      expect([today.total, overdue.total]).toEqual([2, 1])
      const counts = await ok(account.client.rpc('task_counts', { at: noon, time_zone: zone }))
      expect(counts).toMatchObject({ due_today: 2 })
    })

    test.each<[string, object, string]>([
      [
        'a date too early',
        { day: '1899-12-31' },
        'The report date lies between the years 1900 and 2200.',
      ],
      [
        'a date too late',
        { day: '2201-01-01' },
        'The report date lies between the years 1900 and 2200.',
      ],
      // Its charts would count the weeks up to today without end.
      [
        'the end of time for today',
        { day: '2026-11-15', at: 'infinity' },
        'The report date lies between the years 1900 and 2200.',
      ],
      [
        'the beginning of time for today',
        { day: '2026-11-15', at: '-infinity' },
        'The report date lies between the years 1900 and 2200.',
      ],
      [
        'a period too early',
        { filter: { from: '1800-01-01' } },
        'A period lies between the years 1900 and 2200.',
      ],
      [
        'a period too late',
        { filter: { to: '2300-01-01' } },
        'A period lies between the years 1900 and 2200.',
      ],
      [
        'an end before the beginning',
        { filter: { from: '2026-11-15', to: '2026-11-14' } },
        'The period ends before it begins.',
      ],
      [
        'a pipeline that is gone',
        { filter: { pipeline: '7d0c1e4e-5f4b-4d5e-9a53-0f5f5a6f1a01' } },
        'The pipeline of this report no longer exists. Choose another one.',
      ],
      [
        'a stage that is gone',
        { filter: { stage: ['7d0c1e4e-5f4b-4d5e-9a53-0f5f5a6f1a01'] } },
        'A stage of this report no longer exists. Choose another one.',
      ],
      ['an unknown part', { filter: { color: 'red' } }, 'The filter has a part that is not known.'],
    ])('%s is refused in words', async (_name, args, message) => {
      const { error } = await owner.client.rpc('report', args as never)
      expect(error?.message).toBe(message)
    })

    test('the longest period is answered, with its last sixty months and weeks', async () => {
      const answer = await report({ filter: { from: '1900-01-01', to: '2200-12-31' } })
      expect(answer.total_deals).toBe(sales.deals.length)
      expect(answer.months).toHaveLength(60)
      expect(answer.weeks).toHaveLength(60)
      expect(answer.forecast).toHaveLength(60)
    })
  })

  test('another owner’s pipeline and stages are not there, and nobody without a session asks', async () => {
    const [stage] = stages
    for (const filter of [{ pipeline: stage?.pipeline_id }, { stage: [stage?.id] }]) {
      const { status } = await other.client.rpc('report', { filter } as never)
      expect(status).toBe(404)
    }
    for (const name of ['dashboard', 'report'] as const) {
      expect(await database().anonymous.rpc(name)).toMatchObject({ error: { code: '42501' } })
    }
  })
})
