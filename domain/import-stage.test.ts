import { describe, expect, test } from 'vitest'
import { mapColumns } from './import-headers.ts'
import { planImport } from './import-plan.ts'
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
  const plan = planImport('deals', mapColumns('deals', header.split(',')), [])
  const read = (row: string) => importRow(row.split(','), plan)
  expect(read('One,Demo,Won,2026-03-04 10:20:00,')).toMatchObject({
    values: { stage: 'Closed Won', closed_at: '2026-03-04T10:20:00.000Z' },
  })
  expect(read('Two,Demo,Lost,,2026-05-06 07:08:00')).toMatchObject({
    values: { stage: 'Closed Lost', closed_at: '2026-05-06T07:08:00.000Z' },
  })
  expect(read('Three,Demo,Open,,')).toEqual({ values: { name: 'Three', stage: 'Demo' } })
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
