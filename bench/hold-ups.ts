import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startBuiltServerOn } from '../scripts/built-product.ts'
import { contact } from './imports.ts'
import type { Figure } from './measure.ts'
import { noRateLimits, signedIn } from './requests.ts'

const partSize = 2000
const listLimit = 300
const pageLimit = 50
/** Of a statement, in seconds. */
const limit = 2

/** What one account does to the others: an import, a statement without an end, and a hundred thousand requests. */
export async function benchHoldUps(rows: number, requests = rows): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-'))
  const settings = { ...noRateLimits, STATEMENT_SECONDS: String(limit) }
  const server = await startBuiltServerOn(join(folder, 'data'), settings)
  const figures: Figure[] = []
  function add(what: string, ours: number, goal = '–', isMet: boolean | null = null) {
    figures.push({ what, rows, ours, plain: null, goal, isMet })
  }
  try {
    const [importer, other] = [await signedIn(server.address), await signedIn(server.address)]
    const people = Array.from({ length: 1000 }, (_, n) => {
      const { company, ...reported } = contact(n)
      return { ...reported, role_title: company ?? null }
    })
    await other('contacts', people)
    const list = () => other('rpc/contact_page', {})
    const page = async () => {
      const response = await fetch(`${server.address}/privacy`)
      await response.text()
    }

    const id = randomUUID()
    await importer('rpc/start_import', { id, kind: 'contacts', file_name: 'a.csv', total: rows })
    for (let sent = 0; sent < rows; sent += partSize) {
      const length = Math.min(partSize, rows - sent)
      const part = Array.from({ length }, (_, n) => ({
        place: sent + n + 2,
        reported: contact(sent + n),
      }))
      await importer('rpc/add_import_rows', { id, rows: part })
    }
    const began = performance.now()
    const commit = importer('rpc/commit_import', { id })
    const [lists, pages] = await Promise.all([during(commit, list), during(commit, page)])
    add('an import is written', performance.now() - began)
    add('another account’s list meanwhile, the middle', at(lists, 0.5))
    add(
      'another account’s list meanwhile, 95 %',
      at(lists, 0.95),
      `≤ ${listLimit} ms`,
      at(lists, 0.95) <= listLimit,
    )
    add('another account’s list meanwhile, the longest', at(lists, 1))
    add(
      'a page meanwhile, 95 %',
      at(pages, 0.95),
      `≤ ${pageLimit} ms`,
      at(pages, 0.95) <= pageLimit,
    )
    add('a page meanwhile, the longest', at(pages, 1))

    const note = { body: 'a'.repeat(50_000), contact_id: null }
    await other('companies', { id, name: 'Acme' })
    for (let sent = 0; sent < 4; sent++) {
      await other(
        'notes',
        Array.from({ length: 100 }, () => ({ ...note, company_id: id })),
      )
    }
    const hostile = other(`notes?select=id&body=ilike.*${'a'.repeat(190)}b*`).catch(() => {})
    const begun = performance.now()
    // By then it is at work.
    await setTimeout(300)
    await importer('rpc/contact_page', {})
    const delay = performance.now() - begun
    await hostile
    add(`a list behind a statement that is stopped after ${limit} s`, delay)
    add('of which the database was opened anew', delay - limit * 1000)

    const busy = await signedIn(server.address)
    await busy('contacts', people)
    const memory = () => residentMegabytes(server.pid)
    const mixed = async (count: number) => {
      for (let sent = 0; sent < count; sent += 8) {
        await Promise.all([
          busy('rpc/contact_page', {}),
          busy('contacts?order=created_at.desc&limit=50'),
          busy('rpc/dashboard', {}),
          // Not each time: what is measured is memory, not an account that grows.
          sent % 80 === 0 ? busy('tasks', { title: 'Call' }) : busy('tasks?limit=20'),
          busy('contacts?id=eq.nonsense').catch(() => {}),
          busy('rpc/contact_page', { filter: { search: 'person1' } }),
          busy('rpc/task_tab_counts', {}),
          page(),
        ])
      }
    }
    await mixed(Math.min(5000, requests))
    const before = memory()
    await mixed(requests)
    const after = memory()
    if (before !== null && after !== null) {
      const growth = Math.round((after / before - 1) * 100)
      const what = `memory after ${requests.toLocaleString('en-US')} mixed requests: ${before} MB, then ${after} MB (${growth} %)`
      add(what, after, '< 20 %', growth < 20)
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

/** Asks again and again until the work is done; how long each took. */
async function during(work: Promise<void>, ask: () => Promise<void>): Promise<number[]> {
  let isDone = false
  void work.then(() => {
    isDone = true
  })
  const durations: number[] = []
  while (!isDone) {
    const started = performance.now()
    await ask()
    durations.push(performance.now() - started)
  }
  return durations
}

function at(durations: number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function residentMegabytes(pid: number): number | null {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return null
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
