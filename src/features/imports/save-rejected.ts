import { neutralised } from '#domain/csv.ts'
import { rejectedColumn } from '#domain/own-file.ts'
import { saveCsv } from '#lib/save-csv.ts'
import type { FileSession } from './file-session.ts'
import { rejectedRows } from './queries.ts'

/** Saves the rows that could not be imported, as they stand in the file, each with the reason. */
export async function saveRejected(
  id: string,
  fileName: string,
  session: Pick<FileSession, 'original'>,
): Promise<number> {
  const { header } = await session.original([])
  return saveCsv({
    name: `rejected-${fileName.replace(/\.\w+$/, '') || 'rows'}.csv`,
    header: [rejectedColumn, ...header.map(neutralised)],
    parts: parts(id, session),
  })
}

async function* parts(
  id: string,
  session: Pick<FileSession, 'original'>,
): AsyncGenerator<string[][]> {
  for await (const rejected of rejectedRows(id)) {
    const { rows } = await session.original(rejected.map(({ place }) => place))
    // The reason is the first cell, because a row with too many cells would shift it.
    yield rows.map((cells, index) => [rejected[index]?.reason ?? '', ...cells].map(neutralised))
  }
}
