import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import { type OpenBench, openEmbedded, openOnServer } from './bench.ts'
import { benchBrowser } from './browser.ts'
import { benchContacts } from './contacts.ts'
import { benchDeals } from './deals.ts'
import { benchDuplicates } from './duplicates.ts'
import { benchFields } from './fields.ts'
import { benchFigures } from './figures.ts'
import { benchHoldUps } from './hold-ups.ts'
import { benchImports } from './imports.ts'
import { benchLanding } from './landing.ts'
import type { Figure } from './measure.ts'
import { benchRequests } from './requests.ts'
import { benchSearch } from './search.ts'
import { benchStory } from './story.ts'
import { benchTasks } from './tasks.ts'

const [rows] = process.argv.slice(2).map(Number).filter(Boolean)
/** For a quick look at everything: no more than so many rows. */
const atMost = (count: number) => Math.min(count, rows ?? count)

/** It takes up to half an hour: whoever waits sees what is done. */
async function part(name: string, work: Promise<Figure[]>): Promise<Figure[]> {
  const figures = await work
  console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${figures.length} figures`)
  return figures
}

async function measured(open: OpenBench): Promise<Figure[]> {
  return [
    ...(await part(
      'contacts',
      benchContacts(open, [...new Set([1000, 10_000, 100_000].map(atMost))]),
    )),
    ...(await part('own fields', benchFields(open, atMost(100_000)))),
    ...(await part('one story', benchStory(open, atMost(100_000)))),
    ...(await part('tasks', benchTasks(open, atMost(50_000)))),
    ...(await part('deals', benchDeals(open, atMost(20_000), atMost(2000)))),
    ...(await part('dashboard and reports', benchFigures(open, sizes(atMost(100_000))))),
    ...(await part('import and export', benchImports(open, atMost(100_000)))),
    ...(await part(
      'search',
      benchSearch(open, {
        contacts: atMost(100_000),
        companies: atMost(10_000),
        deals: atMost(20_000),
        tasks: atMost(50_000),
      }),
    )),
    ...(await part('duplicates', benchDuplicates(open, atMost(100_000)))),
  ]
}

const postgres = await startPostgres()
const served = [
  ...(await part('requests', benchRequests())),
  ...(await part('what holds others up', benchHoldUps(atMost(100_000)))),
  ...(await part('browser', benchBrowser(atMost(100_000)))),
  ...(await part('landing page', benchLanding())),
]
const embedded = await measured(openEmbedded)
const onServer = postgres ? await measured(openOnServer(postgres.url)) : []
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
    plain ? (ours / plain).toFixed(1) : '–'
  } | ${goal} | ${verdict(isMet)} |`

function table(figures: Figure[]): string {
  return `| rows | what | ours | plain | ratio | goal | met |
|---:|---|---:|---:|---:|---|---|
${figures.map(line).join('\n')}`
}

const [processor] = cpus()
const text = `# Benchmarks

Written by \`npm run bench\`. Medians in milliseconds at the server, with the protocol, the session look-up and
the policies; "plain" is the same work as SQL on the same connection in the same run. Two accounts hold the
given number of contacts, of tasks or of deals each; a column of the board holds up to 2,000 cards. The figures of dashboard and reports are those of 100,000 contacts with 10,000 companies, 20,000
deals, 50,000 tasks and 20,000 notes.

Machine: ${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.

Where a goal is not met: why, and what was tried, is in [decision 020](decisions/020-speed-of-the-embedded-backend.md).

## The server and the browser

${table(served)}

## Requests on the embedded database

${table(embedded)}

## Requests on a PostgreSQL server

${onServer.length > 0 ? `The server runs beside, and does not wait for its disk.\n\n${table(onServer)}` : 'None is installed here.'}
`
await writeFile(join(import.meta.dirname, '../docs/benchmarks.md'), text)
console.log(text)
