import { describe, expect, test } from 'vitest'
import { type ClosingAnswer, closingProblem, undatedIn, undatedProblem } from './import-closing.ts'
import { mapColumns } from './import-headers.ts'
import { type ImportPlan, planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'
import { stageOf } from './import-stage.ts'

describe('other programs say of a closed deal', () => {
  test.each([
    'Won',
    'Closed-Won',
    'closedwon',
    'CLOSED_WON',
    'Deal won',
    '5. Closed Won (Sales Pipeline)',
    'Won (100%)',
    'Gewonnen',
    'Abgeschlossen und gewonnen',
    'Gagné',
    'Fermée gagnée',
    'Ganado',
    'Cierre ganado',
    'Chiuso vinto',
    'Ganho',
    'Vunnen',
    'Wygrana',
    '受注',
  ])('%s: won', (stage) => {
    expect(stageOf(stage, '', false).stage).toBe('Closed Won')
  })

  test.each([
    'Lost',
    'Closed Lost',
    'closedlost',
    '6 - Closed - Lost',
    'Verloren',
    'Perdu',
    'Perdido',
    'Cerrada perdida',
    'Perso',
    'Förlorad',
    'Przegrana',
    '失注',
  ])('%s: lost', (stage) => {
    expect(stageOf(stage, '', false).stage).toBe('Closed Lost')
  })
})

test.each(['Won back', 'Lost contact', 'Closed', 'Proposal (won)', 'Won or lost', ''])(
  '%s is no outcome',
  (stage) => {
    expect(stageOf(stage, '', false)).toEqual({ stage, isOverruled: false })
  },
)

test('a status of won or lost counts more than the stage; in our own file the stage is ours', () => {
  expect(stageOf('Demo', 'won', false)).toEqual({ stage: 'Closed Won', isOverruled: true })
  expect(stageOf('Closed Won', 'Won', false)).toEqual({ stage: 'Closed Won', isOverruled: false })
  expect(stageOf('Demo', 'open', false)).toEqual({ stage: 'Demo', isOverruled: false })
  expect(stageOf('Won', '', true).stage).toBe('Won')
})

test('a status and a won or lost time close the deal with its date', () => {
  const header = 'Deal - Title,Deal - Stage,Deal - Status,Deal - Won time,Deal - Lost time'
  const columns = header.split(',')
  const plan = planImport('deals', mapColumns('deals', columns), [], { columns })
  const read = (row: string) => importRow(row.split(','), plan)
  expect(read('One,Demo,Won,2026-03-04 10:20:00,')).toMatchObject({
    values: { stage: 'Closed Won', closed_at: '2026-03-04T10:20:00.000Z' },
  })
  expect(read('Two,Demo,Lost,,2026-05-06 07:08:00')).toMatchObject({
    values: { stage: 'Closed Lost', closed_at: '2026-05-06T07:08:00.000Z' },
  })
  expect(read('Three,Demo,Open,,')).toEqual({ values: { name: 'Three', stage: 'Demo' } })
})

/** Reads rows of deals under a header. */
function readDeals(header: string, rows: string[], extras: Partial<ImportPlan> = {}) {
  const columns = header.split(',')
  const cells = rows.map((row) => row.split(','))
  const plan = planImport('deals', mapColumns('deals', columns, cells), cells, {
    columns,
    today: '2026-11-18',
    ...extras,
  })
  return {
    plan,
    rows: cells.map((row) => importRow(row, plan)),
    undated: undatedIn(
      cells.map((each) => ({ cells: each })),
      plan,
    ),
  }
}

describe('a won or a lost time', () => {
  const header = 'Title,Stage,Status,Won time,Lost time,Closed on'
  test.each([
    [
      'Demo,,2026-03-04,,',
      { stage: 'Closed Won', closed_at: '2026-03-04T12:00:00.000Z' },
      'Won time',
    ],
    [
      'Demo,,,2026-03-05,',
      { stage: 'Closed Lost', closed_at: '2026-03-05T12:00:00.000Z' },
      'Lost time',
    ],
    // Lost, and won again.
    [
      'Demo,,2026-03-06,2026-03-05,',
      { stage: 'Closed Won', closed_at: '2026-03-06T12:00:00.000Z' },
      'Won time',
    ],
  ])('closes an open deal without a status: %s', (row, values, by) => {
    const { rows } = readDeals(header, [`Engine,${row}`])
    expect(rows).toMatchObject([{ values: { ...values, file_stage: 'Demo', closed_by: by } }])
  })

  test('in the words of another language too, and without a stage', () => {
    const { rows } = readDeals('Titel,Phase,Betrag,Verloren am', ['Motor,Angebot,5,04.03.2026'])
    expect(rows).toMatchObject([
      { values: { stage: 'Closed Lost', kept_notes: ['Phase: Angebot'] } },
    ])
    expect(readDeals('Deal,Deal - Won time', ['Engine,2026-03-04']).rows).toMatchObject([
      { values: { stage: 'Closed Won', closed_by: 'Deal - Won time' } },
    ])
  })

  test('of a deal that is open, or closed otherwise, is kept in a note', () => {
    const { rows } = readDeals(header, [
      'One,Demo,Open,2026-03-04,,',
      'Two,Demo,Lost,2026-03-04,2026-03-05,',
      // It does not say how.
      'Three,Demo,,,,2026-03-06',
    ])
    expect(rows).toMatchObject([
      { values: { stage: 'Demo', kept_notes: ['Won time: 2026-03-04'] } },
      {
        values: {
          stage: 'Closed Lost',
          closed_at: '2026-03-05T12:00:00.000Z',
          kept_notes: ['Stage: Demo', 'Won time: 2026-03-04'],
        },
      },
      { values: { stage: 'Demo', kept_notes: ['Closed on: 2026-03-06'] } },
    ])
    expect(rows.map((row) => 'values' in row && row.values.closed_at)).toEqual([
      undefined,
      '2026-03-05T12:00:00.000Z',
      undefined,
    ])
  })
})

describe('a deal that is closed without a time', () => {
  const header = 'Deal Name,Stage,Expected Close Date,Created Date'
  const file = [
    'Open,Demo,2026-01-02,2025-12-01',
    'Both,Closed Won,2026-01-02,2025-12-02',
    // A day that has not come says nothing of a closed deal.
    'Later,Won,2027-01-02,2025-12-03',
    'None,Closed Lost,,',
  ]
  const closes = (closing: ClosingAnswer | null) =>
    readDeals(header, file, { closing }).rows.map((row) =>
      'problem' in row ? row.problem : (row.values.closes_at ?? null),
    )
  const [second, noon] = ['2026-01-02T12:00:00.000Z', '2026-02-03T12:00:00.000Z']

  test('is counted, and refused while nobody has said when', () => {
    expect(readDeals(header, file).undated).toEqual({ rows: 3, expected: 1, created: 2 })
    expect(closes(null)).toEqual([null, undatedProblem, undatedProblem, undatedProblem])
    expect(closes({ by: 'left out', day: null })).toEqual(closes(null))
    expect(readDeals(header, ['Open,Demo,,']).undated).toBeNull()
  })

  test('gets what was answered', () => {
    expect(closes({ by: 'day', day: '2026-02-03' })).toEqual([null, noon, noon, noon])
    expect(closes({ by: 'expected close', day: null })).toEqual([
      null,
      second,
      undatedProblem,
      undatedProblem,
    ])
    expect(closes({ by: 'expected close', day: '2026-02-03' })).toEqual([null, second, noon, noon])
    expect(closes({ by: 'created', day: '2026-02-03' })).toEqual([
      null,
      '2025-12-02T12:00:00.000Z',
      '2025-12-03T12:00:00.000Z',
      noon,
    ])
  })

  test('is not asked about where a column says the close date, which of a closed deal is no guess', () => {
    const { rows, undated } = readDeals('Deal Name,Deal Stage,Close Date', [
      'Pilot,closedwon,2026-05-04',
      'Later,closedwon,2027-05-04',
      'Timed,closedwon,2026-05-04 10:30',
    ])
    expect(undated).toEqual({ rows: 1, expected: 0, created: 0 })
    expect(rows).toMatchObject([
      { values: { closes_at: '2026-05-04T12:00:00.000Z' } },
      {},
      { values: { closes_at: '2026-05-04T10:30:00.000Z' } },
    ])
    expect(rows[0]).not.toHaveProperty('values.closed_at')
  })

  test('cannot be checked before there is an answer', () => {
    const undated = { rows: 3, expected: 1, created: 2 }
    expect(closingProblem(null, null)).toBeNull()
    expect(closingProblem(undated, null)).toBe('Choose when these deals were closed.')
    expect(closingProblem(undated, { by: 'day', day: null })).toMatch(/^Choose the day/)
    // The column that answered it fills another field since.
    for (const by of ['expected close', 'created'] as const) {
      const gone = { rows: 2, expected: 0, created: 0 }
      expect(closingProblem(gone, { by, day: null })).toBe('Choose when these deals were closed.')
    }
    expect(closingProblem(undated, { by: 'day', day: '2026-02-03' })).toBeNull()
    expect(closingProblem(undated, { by: 'left out', day: null })).toBeNull()
  })
})

test('a status that never says how a deal ended is no outcome; one other word is told', () => {
  const columns = ['Deal Name', 'Status']
  const map = (...words: string[]) =>
    mapColumns(
      'deals',
      columns,
      words.map((word) => ['Big', word]),
    )
  expect(map('Working on it', 'Stuck')).toEqual(['name', null])
  expect(map('Working on it', 'Won')).toEqual(['name', 'status'])
  expect(map('offen')).toEqual(['name', 'status'])
  const plan = planImport('deals', ['name', 'status'], [])
  expect(importRow(['Big', 'On hold'], plan)).toEqual({
    values: { name: 'Big', file_deal_status: 'On hold', kept_notes: ['Status: On hold'] },
  })
  expect(importRow(['Big', 'Open'], plan)).toEqual({ values: { name: 'Big' } })
})
