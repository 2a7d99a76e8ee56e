import type { Figure } from './measure.ts'

/** What a part of the benchmark gave; one that threw has a line that says so. */
export type Measured = { name: string; figures: Figure[]; failure?: unknown }

const head = `| rows | what | ours | plain | ratio | goal | met | measured | earlier |
|---:|---|---:|---:|---:|---|---|---|---|`

const milliseconds = (value: number | null) => (value === null ? '–' : value.toFixed(1))
const verdict = (isMet: boolean | null) => (isMet === null ? '–' : isMet ? 'yes' : '**no**')
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`

/** What a line is known by: how many requests a second it says is a figure itself. */
function keyOf([rows = '', what = '']: string[]): string {
  return `${rows} ${what.replace(/: \d+ requests\/s$/, '')}`
}

/**
 * The text of docs/benchmarks.md with what was measured now in its section. A figure that stood there is kept as the
 * earlier one, with its day.
 */
export function withMeasured(text: string, title: string, measured: Measured, day: string): string {
  const heading = `## ${title}\n`
  const [before = '', rest = ''] = text.split(heading)
  const [section = '', ...others] = rest.split(/(?=^## )/m)
  const isTable = (line: string) => line.startsWith('|')
  const lines = section.trimEnd().split('\n')
  const failedKey = keyOf(['–', failedPart(measured.name)])
  const table = lines
    .filter(isTable)
    .slice(2)
    .map(cellsOf)
    .filter((cells) => !keyOf(cells).startsWith(failedKey))
  for (const cells of newCells(measured, day)) {
    const place = table.findIndex((each) => keyOf(each) === keyOf(cells))
    const [was] = table.slice(place < 0 ? table.length : place)
    const earlier = was ? `${was[2]} (${was[7]}${seconds(was[1])})` : '–'
    table.splice(place < 0 ? table.length : place, was ? 1 : 0, [...cells, earlier])
  }
  const words = lines.filter((line) => !isTable(line)).join('\n')
  const shown = [words.trim(), [head, ...table.map(lineOf)].join('\n')].filter(Boolean).join('\n\n')
  return `${before}${heading}\n${shown}\n${others.length > 0 ? '\n' : ''}${others.join('')}`
}

const failedPart = (name: string) => `part ${name}, failed: `
const seconds = (what = '') => /: (\d+ requests\/s)$/.exec(what)?.[1]?.replace(/^/, ', ') ?? ''

function newCells({ name, figures, failure }: Measured, day: string): string[][] {
  if (failure !== undefined) {
    const message = failure instanceof Error ? failure.message : String(failure)
    const words = message.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 200)
    return [['–', `${failedPart(name)}${words}`, '–', '–', '–', '–', '**no**', day]]
  }
  return figures.map(({ what, rows, ours, plain, isMet, goal }) => [
    rows.toLocaleString('en-US'),
    what,
    milliseconds(ours),
    milliseconds(plain),
    plain ? (ours / plain).toFixed(2) : '–',
    goal,
    verdict(isMet),
    day,
  ])
}

/** Names the machine of a day once, after those of other days. */
export function withMachine(text: string, day: string, machine: string): string {
  const line = `Machine of ${day}: ${machine}.`
  if (text.includes(line)) return text
  return text.replace(/(^Machine of .*\n)(?!Machine of )/m, (last) => `${last}${line}\n`)
}
