import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import { type OpenBench, openEmbedded, openOnServer } from './bench.ts'
import { benchBrowser } from './browser.ts'
import { benchContacts } from './contacts.ts'
import { benchCurrency } from './currency.ts'
import { benchDeals } from './deals.ts'
import { benchDevice } from './device.ts'
import { benchDuplicates } from './duplicates.ts'
import { benchFields } from './fields.ts'
import { benchFigures } from './figures.ts'
import { benchFirstScreen } from './first-screen.ts'
import { benchHoldUps } from './hold-ups.ts'
import { benchImports } from './imports.ts'
import { benchLanding } from './landing.ts'
import { benchLive } from './live.ts'
import type { Figure } from './measure.ts'
import { benchRequests } from './requests.ts'
import { benchSearch } from './search.ts'
import { benchStory } from './story.ts'
import { benchTags } from './tags.ts'
import { benchTasks } from './tasks.ts'
import { benchUpgrade } from './upgrade.ts'
import { benchDragging, benchMemory, benchOpening, benchScrolling, benchTyping } from './work.ts'

const given = process.argv.slice(2)
/** The settings among the words: `before=../checkout` and `rounds=1` of `first-screen`, `records=50` of `memory`. */
const settings = new Map(
  given.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]),
)
const number = (name: string) => {
  const value = Number(settings.get(name))
  return value > 0 ? value : undefined
}
const words = given.filter((word) => !word.includes('='))
const [rows] = words.map(Number).filter(Boolean)
/** For a part alone: `npm run bench -- tags embedded`. Its lines then replace those that stand there. */
const wanted = words.filter((word) => Number.isNaN(Number(word)))
/** For a quick look at everything: no more than so many rows. */
const atMost = (count: number) => Math.min(count, rows ?? count)

/** It takes up to half an hour: whoever waits sees what is done. */
async function part(name: string, work: Promise<Figure[]>): Promise<Figure[]> {
  const figures = await work
  console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${figures.length} figures`)
  return figures
}

type Parts<Given extends unknown[]> = Record<string, (...given: Given) => Promise<Figure[]>>

const onDatabases: Parts<[OpenBench]> = {
  contacts: (open) => benchContacts(open, [...new Set([1000, 10_000, 100_000].map(atMost))]),
  fields: (open) => benchFields(open, atMost(100_000)),
  tags: (open) => benchTags(open, atMost(100_000)),
  story: (open) => benchStory(open, atMost(100_000)),
  tasks: (open) => benchTasks(open, atMost(50_000)),
  deals: (open) => benchDeals(open, atMost(20_000), atMost(2000)),
  currency: (open) => benchCurrency(open, atMost(100_000)),
  figures: (open) => benchFigures(open, sizes(atMost(100_000))),
  imports: (open) => benchImports(open, atMost(100_000)),
  search: (open) =>
    benchSearch(open, {
      contacts: atMost(100_000),
      companies: atMost(10_000),
      deals: atMost(20_000),
      tasks: atMost(50_000),
    }),
  duplicates: (open) => benchDuplicates(open, atMost(100_000)),
}

const atWork = { contacts: atMost(100_000), cards: atMost(2000) }

const ofTheServer: Parts<[]> = {
  requests: benchRequests,
  live: benchLive,
  'hold-ups': () => benchHoldUps(atMost(100_000)),
  browser: () => benchBrowser(atMost(100_000)),
  device: () => benchDevice(atMost(100_000)),
  landing: benchLanding,
  'first-screen': () => benchFirstScreen(settings.get('before') ?? null, number('rounds')),
  scrolling: () => benchScrolling(atWork),
  typing: () => benchTyping(atWork),
  opening: () => benchOpening(atWork),
  dragging: () => benchDragging(atWork),
  memory: () => benchMemory(atWork, number('records')),
  upgrade: () => benchUpgrade(atMost(100_000)),
}

const named = wanted.filter((word) => word !== 'embedded' && word !== 'server')
const isOn = (database: string) =>
  wanted.includes(database) || !wanted.some((word) => word === 'embedded' || word === 'server')

async function measured<Given extends unknown[]>(
  parts: Parts<Given>,
  ...given: Given
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, work] of Object.entries(parts)) {
    if (named.length === 0 || named.includes(name)) {
      figures.push(...(await part(name, work(...given))))
    }
  }
  return figures
}

const served = await measured(ofTheServer)
const embedded = isOn('embedded') ? await measured(onDatabases, openEmbedded) : []
const postgres = isOn('server') ? await startPostgres() : null
const onServer = postgres ? await measured(onDatabases, openOnServer(postgres.url)) : []
await postgres?.stop()

/** As an account of so many contacts might be. */
function sizes(contacts: number) {
  return {
    contacts,
    companies: Math.ceil(contacts / 10),
    deals: Math.ceil(contacts / 5),
    tasks: Math.ceil(contacts / 2),
    notes: Math.ceil(contacts / 5),
  }
}

const milliseconds = (value: number | null) => (value === null ? '–' : value.toFixed(1))
const verdict = (isMet: boolean | null) => (isMet === null ? '–' : isMet ? 'yes' : '**no**')
const line = ({ what, rows, ours, plain, isMet, goal }: Figure) =>
  `| ${rows.toLocaleString('en-US')} | ${what} | ${milliseconds(ours)} | ${milliseconds(plain)} | ${
    plain ? (ours / plain).toFixed(2) : '–'
  } | ${goal} | ${verdict(isMet)} |`

function table(figures: Figure[]): string {
  return `| rows | what | ours | plain | ratio | goal | met |
|---:|---|---:|---:|---:|---|---|
${figures.map(line).join('\n')}`
}

const file = join(import.meta.dirname, '../docs/benchmarks.md')
const [processor] = cpus()
const whole = () => `# Benchmarks

Written by \`npm run bench\`. Medians in milliseconds at the server, with the protocol, the session look-up and
the policies; "plain" is the same work as SQL on the same connection in the same run. Two accounts hold the
given number of contacts, of tasks or of deals each; a column of the board holds up to 2,000 cards. The figures of dashboard and reports are those of 100,000 contacts with 10,000 companies, 20,000
deals, 50,000 tasks and 20,000 notes.

Machine: ${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.

Where a goal is not met: why, and what was tried, is in [decision 020](decisions/020-speed-of-the-embedded-backend.md).

Parts run alone after \`npm run build\`, and replace their own lines here: \`node scripts/run.mjs bench/run.ts PART…\`, with a number for
fewer rows. \`first-screen\` takes \`before=FOLDER\`, the checkout of an earlier commit with its own \`npm ci && npm run build\`: then "plain" is
that build, both serve a copy of the same folder, and each is visited in turn, five times (\`rounds=\`). \`scrolling\`, \`typing\`, \`opening\`, \`dragging\`
and \`memory\` (\`records=50\` for a try) share one account of 100,000 contacts, 50,000 tasks and 2,000 cards in each column when they are asked for together. The whole run
takes \`before=\` as well: \`npm run bench -- before=../earlier\`.

## The server and the browser

${table(served)}

## Requests on the embedded database

${table(embedded)}

## Requests on a PostgreSQL server

${onServer.length > 0 ? `The server runs beside, and does not wait for its disk.\n\n${table(onServer)}` : 'None is installed here.'}
`

/** The figures that stand there, with those lines replaced or added that were measured now. */
async function withFigures(sections: [title: string, figures: Figure[]][]): Promise<string> {
  const text = await readFile(file, 'utf8')
  return sections.reduce((all, [title, figures]) => {
    const [before = '', rest = ''] = all.split(`## ${title}\n`)
    const [section = '', ...others] = rest.split(/(?=^## )/m)
    const lines = section.trimEnd().split('\n')
    for (const figure of figures) {
      const start = line(figure).split('|').slice(0, 3).join('|')
      const place = lines.findIndex((each) => each.startsWith(`${start}|`))
      lines.splice(place < 0 ? lines.length : place, place < 0 ? 0 : 1, line(figure))
    }
    return `${before}## ${title}\n${lines.join('\n')}\n${others.length > 0 ? '\n' : ''}${others.join('')}`
  }, text)
}

const text =
  wanted.length === 0
    ? whole()
    : await withFigures([
        ['The server and the browser', served],
        ['Requests on the embedded database', embedded],
        ['Requests on a PostgreSQL server', onServer],
      ])
await writeFile(file, text)
console.log(table([...served, ...embedded, ...onServer]))
