import { describe, expect, test } from 'vitest'
import type { OwnKind } from './fields/own.ts'
import { type ImportKind, mapColumns } from './import-headers.ts'
import {
  allKept,
  type Choices,
  keepColumns,
  keptAsField,
  labelledNotes,
  noneKept,
  withChoice,
  withFieldChanged,
} from './import-keep.ts'
import type { PlannedField } from './import-own.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

function ids() {
  let count = 0
  return () => {
    count += 1
    return `new ${count}`
  }
}

/** What becomes of each column without a hand: a field of ours, `name (kind)` of a new one, the notes, or null. */
function kept(kind: ImportKind, columns: string[], rows: string[][], known: PlannedField[] = []) {
  const mapping = mapColumns(kind, columns, rows, known)
  const result = keepColumns({ kind, columns, rows, dates: [] }, mapping, known, ids())
  return result.mapping.map((name) => {
    const field = result.fields.find(({ id }) => `custom.${id}` === name)
    return field ? `${field.name} (${field.kind})` : name
  })
}

describe('without a hand', () => {
  test('each unknown column that holds something becomes a field, and the empty ones nothing', () => {
    expect(
      kept('contacts', ['Email', 'Budget', 'Empty', 'Shoe size'], [['a@x.com', '$40', ' ', '42']]),
    ).toEqual(['email', 'Budget (money)', null, 'Shoe size (number)'])
  })

  test('ids of another program, its one owner and what another column says are left out', () => {
    const columns = ['Record ID', 'AccountId', 'Tax ID', 'Deal Owner', 'Deal Name', 'Title copy']
    const rows = [
      ['1', 'a', 'DE1', 'Me', 'Big', 'Big'],
      ['2', 'b', 'DE2', 'Me', 'Small', 'small'],
    ]
    expect(kept('deals', columns, rows)).toEqual([null, null, 'Tax ID (text)', null, 'name', null])
    const more = ['Deal Name', 'Account Name.id', 'Associated Contact IDs', 'status_id']
    expect(kept('deals', more, [['Big', 'z1', '7;8', 's1']])).toEqual(['name', null, null, null])
    // Two owners are worth knowing.
    expect(kept('deals', columns, [...rows, ['3', 'c', '', 'You', 'Third', 'Other']])).toEqual([
      null,
      null,
      'Tax ID (text)',
      'Deal Owner (text)',
      'name',
      'Title copy (text)',
    ])
  })

  test('an owner is whoever sells, and no homeowner', () => {
    const owned = (name: string) =>
      kept(
        'contacts',
        ['Email', name],
        [
          ['a@x.com', 'Me'],
          ['b@x.com', 'Me'],
        ],
      )[1]
    for (const name of ['Owner', 'Contact owner', 'OwnerName', 'Deal - Owner', 'Assigned To']) {
      expect([name, owned(name)]).toEqual([name, null])
    }
    expect(owned('Homeowner status')).toBe('Homeowner status (text)')
    expect(owned('Is Business Owner')).toBe('Is Business Owner (text)')
  })

  test('notes about a company or a deal become a note on it, after their header', () => {
    const rows = [['Acme', 'Met in Oslo', 'Toys']]
    expect(kept('companies', ['Company Name', 'Notes', 'Size'], rows)).toEqual([
      'name',
      labelledNotes,
      'Size (text)',
    ])
    expect(kept('deals', ['Deal Name', 'Description', 'Size'], rows)[1]).toBe(labelledNotes)
  })

  test('names are no longer than sixty letters, and none comes twice', () => {
    const long = 'A very long question of a survey that somebody wrote without an end in sight?'
    const known = planned('shoe SIZE', 'text', false)
    const names = kept(
      'contacts',
      ['Email', long, `${long} Really`, 'Colour', 'colour', 'Shoe-size'],
      [['a@x.com', 'one', 'two', 'three', 'four', 'five']],
      [known],
    )
    expect(names).toEqual([
      'email',
      `${long.slice(0, 60).trim()} (text)`,
      `${long.slice(0, 56).trim()} 2 (text)`,
      'Colour (text)',
      'colour 2 (text)',
      'Shoe-size (text)',
    ])
  })

  test('what has no room becomes a line of the notes, of companies and deals too', () => {
    const full = Array.from({ length: 99 }, (_, index) => planned(`Field ${index}`, 'text', false))
    const row = ['a@x.com', 'one', 'two', 'x'.repeat(10_001)]
    const columns = ['Email', 'One', 'Two', 'Long']
    expect(kept('contacts', columns, [row], full)).toEqual([
      'email',
      'One (text)',
      labelledNotes,
      labelledNotes,
    ])
    const deal = ['Big', 'one', 'two', 'x'.repeat(10_001)]
    // Those of contacts take no room of deals.
    expect(kept('deals', ['Deal Name', 'One', 'Two'], [deal], full)[2]).toBe('Two (text)')
    const ofDeals = full.map((field) => ({ ...field, record: 'deals' as const }))
    expect(kept('deals', ['Deal Name', 'One', 'Two', 'Long'], [deal], ofDeals)).toEqual([
      'name',
      'One (text)',
      labelledNotes,
      labelledNotes,
    ])
    expect(kept('companies', ['Company', 'Long'], [['Acme', 'x'.repeat(10_001)]])).toEqual([
      'name',
      labelledNotes,
    ])
  })

  test('a day that the other dates of the file contradict stays a text', () => {
    const columns = ['Email', 'Renewal']
    const rows = [['a@x.com', '05/31/2026']]
    const find = (dates: string[]) => {
      const file = { kind: 'contacts' as const, columns, rows, dates }
      return keepColumns(file, ['email', null], [], ids()).fields[0]
    }
    expect(find([])?.kind).toBe('day')
    expect(find(['12/31/2026'])?.kind).toBe('day')
    expect(find(['31/12/2026'])?.kind).toBe('text')
  })
})

function planned(name: string, kind: OwnKind, isNew: boolean): PlannedField {
  return {
    ...{ id: name, record: 'contacts', name, kind, options: [], position: 1, is_hidden: false },
    ...{ isNew, newOptions: [] },
  }
}

describe('what the user chooses', () => {
  const choices: Choices = { kind: 'contacts', mapping: ['email', null, null, null], own: [] }
  const columns = ['Email', 'Budget', 'Size', 'Empty'].map((name) => ({
    name,
    isFilled: name !== 'Empty',
    guess: 'number' as const,
  }))
  const budget = { name: 'Budget', isFilled: true, guess: 'money' as const }

  test('a column is kept, and left out again, with no field left behind', () => {
    const one = keptAsField(choices, 1, budget, 'a')
    expect(one.mapping).toEqual(['email', 'custom.a', null, null])
    expect(one.own).toMatchObject([{ id: 'a', name: 'Budget', kind: 'money', isNew: true }])
    expect(withChoice(one, 1, null)).toEqual(choices)
    // Another column takes the field over.
    expect(withChoice(one, 2, 'custom.a').mapping).toEqual(['email', null, 'custom.a', null])
  })

  test('all are kept at once, put into the notes at once, or left out', () => {
    const all = allKept(choices, columns, ids())
    expect(all.mapping).toEqual(['email', 'custom.new 1', 'custom.new 2', null])
    expect(noneKept(all, labelledNotes)).toEqual({
      ...choices,
      mapping: ['email', labelledNotes, labelledNotes, null],
    })
    expect(noneKept(all, null)).toEqual(choices)
  })

  test('in a file of deals, for those whom the header names, and for whom the user says', () => {
    const names = ['Deal Name', 'Person - Name', 'Person - Score', 'Size', 'Organization - Size']
    const filled = names.map((name) => ({ name, isFilled: true, guess: 'number' as const }))
    const mapping = ['name', 'contact', null, null, null]
    const deals: Choices = { kind: 'deals', mapping, own: [] }
    const all = allKept(deals, filled, ids())
    expect(all.mapping.slice(2)).toEqual([
      'contact: custom.new 1',
      'custom.new 2',
      // No column names the company of whom it would be.
      'custom.new 3',
    ])
    expect(all.own).toMatchObject([
      { record: 'contacts', name: 'Score' },
      { record: 'deals', name: 'Size' },
      { record: 'deals', name: 'Organization - Size' },
    ])
    expect(noneKept(all, labelledNotes).mapping.slice(2)).toEqual([
      `contact: ${labelledNotes}`,
      labelledNotes,
      labelledNotes,
    ])
    const chosen = keptAsField(
      all,
      3,
      { name: 'Score', isFilled: true, guess: null },
      'a',
      'company',
    )
    expect(chosen.mapping[3]).toBe('company: custom.a')
    // Fields of others may be called the same; the one that the column made before is gone.
    expect(chosen.own).toMatchObject([
      { name: 'Score' },
      { name: 'Organization - Size' },
      { record: 'companies', name: 'Score', kind: 'long text' },
    ])
  })

  test('a hundred fields are the most', () => {
    const own = Array.from({ length: 99 }, (_, index) => planned(`Field ${index}`, 'text', false))
    const all = allKept({ ...choices, own }, columns, ids())
    expect(all.mapping).toEqual(['email', 'custom.new 1', null, null])
    expect(keptAsField(all, 2, budget, 'b')).toBe(all)
  })

  test('name and kind of a new field', () => {
    const one = keptAsField(choices, 1, budget, 'a')
    expect(withFieldChanged(one, 'a', { name: 'Money', kind: 'choice' }).own).toMatchObject([
      { id: 'a', name: 'Money', kind: 'choice', options: [] },
    ])
  })
})

test('cells become lines of the notes after the name of their column', () => {
  const mapping = ['email', labelledNotes, 'notes', labelledNotes]
  const row = ['a@x.com', '40k', 'Met in Oslo', '']
  const plan = planImport('contacts', mapping, [row], {
    columns: ['Email', 'Budget', 'Notes', 'Size'],
  })
  expect(importRow(row, plan)).toEqual({
    values: {
      email: 'a@x.com',
      notes: 'Budget: 40k\nMet in Oslo',
      note_parts: ['Budget: 40k', 'Met in Oslo'],
    },
  })
})

test.each(['companies', 'deals'] as const)('so do those of %s, which become a note', (kind) => {
  const columns = [kind === 'deals' ? 'Deal Name' : 'Company', 'Budget', 'Story']
  const read = (...cells: string[]) =>
    importRow(cells, planImport(kind, ['name', labelledNotes, labelledNotes], [cells], { columns }))
  expect(read('Acme', '40k', 'Long\nago')).toEqual({
    values: { name: 'Acme', kept_notes: ['Budget: 40k', 'Story: Long\nago'] },
  })
  expect(read('Acme', '', 'x'.repeat(50_000))).toEqual({
    problem: 'The columns for the notes have more than 50,000 characters in this row.',
  })
})
