import { withoutMark } from '#domain/csv.ts'
import type { LooseRow } from '#domain/import-quotes.ts'
import type { ImportPlan } from '#domain/import-rows.ts'
import {
  type ReadOptions,
  readPasted,
  readTable,
  sizeProblem,
  type Table,
  type Unreadable,
} from './read-table.ts'
import {
  type FileRow,
  nextPart,
  type SentRow,
  type Understood,
  understand,
  type Wanted,
} from './understand.ts'

export type Opened = {
  encoding: Table['encoding']
  delimiter: Table['delimiter']
  understood: Understood
}

/** One file from its first byte to its last row. It is read once: what changes on the disk later does not matter. */
export function createFileSession() {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  let pasted = ''
  let rows: LooseRow[] = []
  let data: FileRow[] = []
  let header: string[] = []
  let isMarked = false

  function read(options: ReadOptions): Opened | Unreadable {
    const table = bytes ? readTable(bytes, options) : readPasted(pasted, options)
    if ('problem' in table) return table
    const result = understand(table.rows)
    // What cannot be read otherwise stays as it was read before.
    if (result.data.length === 0) return { problem: 'There is a header in it, but no rows.' }
    rows = table.rows
    return { encoding: table.encoding, delimiter: table.delimiter, understood: keep(result) }
  }

  function keep(result: ReturnType<typeof understand>): Understood {
    data = result.data
    header = result.understood.columns.map(({ name }) => name)
    isMarked = result.isMarked
    return result.understood
  }

  return {
    async open(source: File | string): Promise<Opened | Unreadable> {
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
              'This file cannot be read. It may have been changed, moved or deleted meanwhile, or it is a folder. Choose it again.',
          }
        }
      }
      return read({})
    },
    /** Reads it otherwise. */
    reread: async (options: ReadOptions) => read(options),
    /** Takes it for something else. */
    understand: async (wanted: Wanted) => keep(understand(rows, wanted)),
    part: async (plan: ImportPlan, from: number): Promise<SentRow[]> => nextPart(data, plan, from),
    /** The header and some rows, with the values that stand in the file. */
    async original(places: number[]): Promise<{ header: string[]; rows: string[][] }> {
      const width = header.length
      return {
        header,
        rows: places.map((place) => {
          const cells = rows[place - 1]?.cells ?? []
          // What stands beyond the header is why some are rejected: nothing is cut off.
          return Array.from({ length: Math.max(width, cells.length) }, (_, index) =>
            isMarked ? withoutMark(cells[index] ?? '') : (cells[index] ?? ''),
          )
        }),
      }
    },
  }
}

export type FileSession = ReturnType<typeof createFileSession>
