import { analyse } from 'chardet'
import { withoutMark } from '#domain/csv.ts'
import type { OwnField } from '#domain/fields/own.ts'
import type { ImportPlan } from '#domain/import-plan.ts'
import type { LooseRow } from '#domain/import-quotes.ts'
import { isCards } from '#domain/import-text.ts'
import {
  type FileRow,
  type Home,
  type Interpretation,
  interpretRows,
  nextPart,
  type Overrides,
  type SentRow,
} from './interpret-rows.ts'
import {
  type Form,
  isArchive,
  type ReadOptions,
  readCards,
  readPasted,
  readTable,
  sizeProblem,
  type Table,
  type Unreadable,
  withinLimits,
} from './read-table.ts'

export type Opened = { form: Form; interpretation: Interpretation }

/** Holds one file and its rows. The file is read once, so later changes on disk do not matter. */
export function createFileSession() {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  let pasted = ''
  let rows: LooseRow[] = []
  let data: FileRow[] = []
  let header: string[] = []
  let isMarked = false
  let own: OwnField[] = []
  let home: Home | undefined

  async function tableOf(options: ReadOptions): Promise<Table | Unreadable> {
    const cards = bytes ? readCards(bytes, options, analyse) : isCards(pasted) && { text: pasted }
    if (cards) {
      const { cardRows } = await import('#domain/import-cards.ts')
      const { text, ...read } = cards
      return withinLimits({ form: { is: 'cards', ...read }, rows: cardRows(text) })
    }
    if (!bytes) return readPasted(pasted, options)
    if (!isArchive(bytes)) return readTable(bytes, options, analyse)
    const { readWorkbook } = await import('./read-workbook.ts')
    const book = await readWorkbook(bytes, options.sheet)
    if ('problem' in book) return book
    const { rows: read, ...form } = book
    if (read.length === 0) return { problem: emptySheet(book) }
    return withinLimits({ form: { is: 'workbook', ...form }, rows: read })
  }

  async function read(options: ReadOptions): Promise<Opened | Unreadable> {
    const table = await tableOf(options)
    if ('problem' in table) return table
    const known = table.form.is === 'cards' ? cardOverrides : {}
    const result = interpretRows(table.rows, known, own, home)
    // Without rows the result is refused, and the table read before stays.
    if (result.data.length === 0) return { problem: 'This has a header but no rows.' }
    rows = table.rows
    return { form: table.form, interpretation: keep(result) }
  }

  function keep(result: ReturnType<typeof interpretRows>): Interpretation {
    data = result.data
    header = result.interpretation.columns.map(({ name }) => name)
    isMarked = result.isMarked
    return result.interpretation
  }

  return {
    /** Opens a file; `known` are the fields of the user's own, which its columns may fill. */
    async open(
      source: File | string,
      known: OwnField[] = [],
      account?: Home,
    ): Promise<Opened | Unreadable> {
      own = known
      home = account
      if (typeof source === 'string') {
        bytes = null
        pasted = source
      } else {
        const problem = sizeProblem(source.size)
        if (problem) return { problem }
        try {
          bytes = new Uint8Array(await source.arrayBuffer())
        } catch {
          return {
            problem:
              'This file can’t be read. It may have been changed, moved or deleted, or it’s a folder. Choose it again.',
          }
        }
      }
      return read({})
    },
    /** Reads the file again with other options. */
    reread: read,
    /** Interprets the same rows with other choices. */
    interpretRows: async (overrides: Overrides) => keep(interpretRows(rows, overrides, own, home)),
    part: async (plan: ImportPlan, from: number): Promise<SentRow[]> => nextPart(data, plan, from),
    /** The header and some rows with the file's own values. */
    async original(places: number[]): Promise<{ header: string[]; rows: string[][] }> {
      const width = header.length
      return {
        header,
        rows: places.map((place) => {
          const cells = rows[place - 1]?.cells ?? []
          // Keep cells beyond the header: they may be why the row was rejected.
          return Array.from({ length: Math.max(width, cells.length) }, (_, index) =>
            isMarked ? withoutMark(cells[index] ?? '') : (cells[index] ?? ''),
          )
        }),
      }
    },
  }
}

/** The first row of what is made of cards is its header. */
const cardOverrides = { headerRow: 1, kind: 'contacts' } as const

function emptySheet({ sheets, sheet }: { sheets: string[]; sheet: number }): string {
  return sheets.length > 1 ? `The sheet “${sheets[sheet]}” is empty.` : 'It’s empty.'
}

export type FileSession = ReturnType<typeof createFileSession>
