import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * A hash of all files that decide what the screens ask for and what an answer looks like: queries, their keys and checks,
 * the fields of a record. A version shows the answers that a device has kept if it has the same hash. When in doubt,
 * include a file: one too many only makes an update read the screens anew; with one too few, a screen may get an answer
 * that it cannot show.
 */
export function answersMark(): string {
  const hash = createHash('sha256')
  for (const file of ['domain', 'src'].flatMap(filesIn).sort()) {
    const text = readFileSync(join(root, file), 'utf8')
    if (tellsOfAnswers(file, text)) hash.update(`${file}\0${codeOf(text)}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
}

/** Of `src/lib` what makes the keys and the data of queries. All else there, such as how writes are sent, shapes no answer. */
export const shaping = [
  ...['answers', 'first-data', 'grouped', 'list-source', 'list-view', 'named-list'],
  ...['record-pages', 'seen-screens', 'use-list', 'use-record'],
]

/** Without comments, which change no answer. Exported for its test, like the next one. */
export function codeOf(text: string): string {
  return text.replaceAll(/^\s*(\/\/|\/?\*).*\n/gm, '')
}

export function tellsOfAnswers(file: string, text: string): boolean {
  const [, ofLib] = /^src\/lib\/(.+)\.tsx?$/.exec(file) ?? []
  if (ofLib) return shaping.includes(ofLib)
  return (
    file.startsWith('domain/fields/') ||
    file.endsWith('/queries.ts') ||
    /from 'zod(\/mini)?'/.test(text)
  )
}
