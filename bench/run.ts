import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { benchBrowser } from './browser.ts'
import { benchContacts } from './contacts.ts'
import { benchDeals } from './deals.ts'
import { benchDuplicates } from './duplicates.ts'
import { benchFigures } from './figures.ts'
import { benchImports } from './imports.ts'
import { benchLanding } from './landing.ts'
import type { Figure } from './measure.ts'
import { benchRequests } from './requests.ts'
import { benchSearch } from './search.ts'
import { benchTasks } from './tasks.ts'

const counts = process.argv.slice(2).map(Number).filter(Boolean)
const figures = [
  ...(await benchContacts(counts.length > 0 ? counts : [1000, 10_000, 100_000])),
  ...(await benchTasks(counts.length > 0 ? Math.max(...counts) : 50_000)),
  ...(await benchDeals(counts.length > 0 ? Math.max(...counts) : 20_000, 2000)),
  ...(await benchFigures(sizes(counts.length > 0 ? Math.max(...counts) : 100_000))),
  ...(await benchImports(counts.length > 0 ? Math.max(...counts) : 100_000)),
  ...(await benchSearch(
    counts.length > 0
      ? { contacts: Math.max(...counts), companies: 1000, deals: 1000, tasks: 1000 }
      : { contacts: 100_000, companies: 10_000, deals: 20_000, tasks: 50_000 },
  )),
  ...(await benchDuplicates(counts.length > 0 ? Math.max(...counts) : 100_000)),
  ...(await benchRequests()),
  ...(await benchBrowser(counts.length > 0 ? Math.max(...counts) : 100_000)),
  ...(await benchLanding()),
]

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

const [processor] = cpus()
const text = `# Benchmarks

Written by \`npm run bench\`. Medians in milliseconds at the server, with the protocol, the session look-up and
the policies; "plain" is the same work as SQL on the same connection in the same run. Two accounts hold the
given number of contacts, of tasks or of deals each, on the embedded database; a column of the board holds
up to 2,000 cards. The figures of dashboard and reports are those of 100,000 contacts with 10,000 companies, 20,000
deals, 50,000 tasks and 20,000 notes.

Machine: ${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.

| rows | what | ours | plain | ratio | goal | met |
|---:|---|---:|---:|---:|---|---|
${figures.map(line).join('\n')}
`
await writeFile(join(import.meta.dirname, '../docs/benchmarks.md'), text)
console.log(text)
