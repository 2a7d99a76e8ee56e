import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * A mark of everything that says what the screens ask and what an answer is like: reads, their keys and checks, the
 * fields of a record. Answers that a device keeps are shown by every version with the same mark. Rather one file too
 * many: then an update shows screens empty until they are read again; one too few, and a screen gets what it cannot show.
 */
export function answersMark(): string {
  const hash = createHash('sha256')
  for (const file of ['domain', 'src'].flatMap(filesIn).sort()) {
    const text = readFileSync(join(root, file), 'utf8')
    if (tellsOfAnswers(file, text)) hash.update(`${file}\0${text}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
}

/** Exported for its test. */
export function tellsOfAnswers(file: string, text: string): boolean {
  return (
    /^(src\/lib|domain\/fields)\//.test(file) ||
    file.endsWith('/queries.ts') ||
    /from 'zod(\/mini)?'/.test(text)
  )
}
