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
import { benchDealImports, benchImports } from './imports.ts'
import { benchLanding } from './landing.ts'
import { benchLive } from './live.ts'
import type { Figure } from './measure.ts'
import { type Measured, withMachine, withMeasured } from './report.ts'
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
/** For a part alone: `npm run bench -- tags embedded`. What stood there is kept as the earlier figure. */
const wanted = words.filter((word) => Number.isNaN(Number(word)))
/** For a quick look at everything: no more than so many rows. */
const atMost = (count: number) => Math.min(count, rows ?? count)

const file = join(import.meta.dirname, '../docs/benchmarks.md')
const [processor] = cpus()
const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`

/** It takes up to an hour: whoever waits sees what is done, and what is done is written. */
async function part(title: string, name: string, work: () => Promise<Figure[]>): Promise<void> {
  const measured = await work().then(
    (figures): Measured => ({ name, figures }),
    (failure: unknown): Measured => ({ name, figures: [], failure }),
  )
  if (measured.failure !== undefined) {
    console.error(measured.failure)
    process.exitCode = 1
  }
  const day = new Date().toISOString().slice(0, 10)
  const text = withMachine(await readFile(file, 'utf8'), day, machine)
  await writeFile(file, withMeasured(text, title, measured, day))
  console.error(
    `${new Date().toISOString().slice(11, 19)} ${name}: ${measured.figures.length} figures`,
  )
  for (const { what, ours, plain } of measured.figures) {
    console.log(`${what}: ${ours.toFixed(1)}${plain === null ? '' : `, plain ${plain.toFixed(1)}`}`)
  }
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
  'deal-imports': (open) => benchDealImports(open, atMost(20_000)),
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

async function measure<Given extends unknown[]>(
  title: string,
  parts: Parts<Given>,
  ...given: Given
): Promise<void> {
  for (const [name, work] of Object.entries(parts)) {
    if (named.length === 0 || named.includes(name)) await part(title, name, () => work(...given))
  }
}

await measure('The server and the browser', ofTheServer)
if (isOn('embedded')) await measure('Requests on the embedded database', onDatabases, openEmbedded)
const postgres = isOn('server') ? await startPostgres() : null
if (postgres) {
  await measure('Requests on a PostgreSQL server', onDatabases, openOnServer(postgres.url))
  await postgres.stop()
}

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
