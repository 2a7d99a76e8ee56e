import { randomUUID } from 'node:crypto'
import type { OpenBench } from './bench.ts'
import type { Figure } from './measure.ts'

const partSize = 2000

/** A row of the file that is imported. */
export function contact(n: number) {
  return {
    first_name: ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Frances'][n % 8],
    last_name: `Person${n}`,
    email: `person${n}@example${n % 97}.com`,
    phone_number: `+49 30 ${1_000_000 + n}`,
    lead_status: ['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'][n % 5],
    notes: `Met at the fair of ${1990 + (n % 30)}`,
    ...(n % 3 === 0 ? { company: `Company ${n % 1000}` } : {}),
  }
}

/** A row of a file of deals, which makes its contact and its company: five deals about each contact. */
function deal(n: number) {
  const [person, company] = [Math.floor(n / 5), `Company ${n % 1000}`]
  const role_title = ['Buyer', 'Director', 'Owner'][person % 3]
  return {
    name: `Deal ${n}`,
    value: n % 50_000,
    stage: ['Lead', 'Qualified', 'Proposal', 'Negotiation'][n % 4],
    company,
    contact_first_name: 'Ada',
    contact_last_name: `Person${person}`,
    contact_email: `person${person}@example.com`,
    person: { role_title, lines: { role_title: `Job Title: ${role_title}` } },
    organisation: { location: 'London', lines: { location: 'City: London' } },
  }
}

type Call = (name: string, args: object) => Promise<unknown>

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

type Sent = { id: string; kind: 'contacts' | 'deals'; count: number; row: (n: number) => object }

/** The rows of a file, in parts as the browser sends them. */
async function sendRows(call: Call, { id, kind, count, row }: Sent): Promise<void> {
  await call('start_import', { id, kind, file_name: 'bench.csv', total: count })
  for (let sent = 0; sent < count; sent += partSize) {
    const length = Math.min(partSize, count - sent)
    const rows = Array.from({ length }, (_, n) => ({
      place: sent + n + 2,
      reported: row(sent + n),
    }))
    await call('add_import_rows', { id, rows })
  }
}

/** An import of deals with the contacts and companies that they name, its dry run, and its undo. */
export async function benchDealImports(open: OpenBench, count: number): Promise<Figure[]> {
  const bench = await open()
  try {
    const owner = await bench.signUp()
    const call: Call = (name, args) => bench.rpc(name, args, owner.token)
    const id = randomUUID()
    const upload = await timed(() => sendRows(call, { id, kind: 'deals', count, row: deal }))
    const check = await timed(() => call('check_import', { id }))
    const page = await timed(() =>
      call('import_page', { id, found: ['new', 'twin'], after: 0, duplicates: 'skip' }),
    )
    let batch = ''
    const commit = await timed(async () => {
      const state = (await call('commit_import', { id })) as { batch: string }
      batch = state.batch
    })
    const undo = await timed(() => call('undo_batch', { batch }))
    const taken = {
      'rows sent in parts': upload,
      'dry run': check,
      'first page of the dry run': page,
    }
    return Object.entries({ ...taken, commit, undone: undo }).map(([what, ours]) => ({
      ...{ what: `import of deals: ${what}`, rows: count, ours },
      ...{ plain: null, isMet: null, goal: '–' },
    }))
  } finally {
    await bench.close()
  }
}

/** An import and an export as the browser makes them, beside one insert and one select of the same rows. */
export async function benchImports(open: OpenBench, count: number): Promise<Figure[]> {
  const bench = await open()
  try {
    const plainOwner = await bench.signUp()
    const owner = await bench.signUp()
    const figures: Figure[] = []
    const perSecond = (duration: number) =>
      `${Math.round((count / duration) * 1000).toLocaleString('en-US')} rows/s`
    const call: Call = (name, args) => bench.rpc(name, args, owner.token)

    const plain = await timed(() =>
      bench.query(`
        insert into public.contacts (user_id, first_name, last_name, email, phone_number, lead_status, notes)
        select '${plainOwner.id}',
          (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Frances'])[1 + n % 8],
          'Person' || n, 'person' || n || '@example' || n % 97 || '.com', '+49 30 ' || (1000000 + n),
          (array['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'])[1 + n % 5],
          'Met at the fair of ' || 1990 + n % 30
        from generate_series(1, ${count}) n`),
    )
    // Another user, who reads a list again and again meanwhile.
    const reader = await bench.signUp()
    const besideReader = async (work: () => Promise<unknown>) => {
      const waits: number[] = []
      let isDone = false
      const reading = (async () => {
        while (!isDone) {
          const wait = await timed(async () => {
            // Counts the time as well for which the event loop is blocked: a new request would have to wait for it.
            await new Promise((resolve) => setImmediate(resolve))
            await bench.rpc('contact_page', { page_size: 50 }, reader.token)
          })
          waits.push(wait)
        }
      })()
      const took = await timed(work)
      isDone = true
      await reading
      const sorted = waits.toSorted((a, b) => a - b)
      return { took, wait: sorted[Math.floor(sorted.length * 0.95)] ?? 0 }
    }
    const id = randomUUID()
    const upload = await timed(() => sendRows(call, { id, kind: 'contacts', count, row: contact }))
    const check = await timed(() => call('check_import', { id }))
    let batch = ''
    const { took: commit, wait: waitForCommit } = await besideReader(async () => {
      const state = (await call('commit_import', { id })) as { batch: string }
      batch = state.batch
    })
    const all = upload + check + commit
    const select = await timed(() =>
      bench.query(`
        select first_name, last_name, email, phone_number, role_title, lead_status, notes, created_at
        from public.contacts where user_id = '${owner.id}' order by created_at desc, id desc`),
    )
    // As the browser reads them, page by page.
    const pages = await timed(async () => {
      for (let after: unknown = null, isFirst = true; isFirst || after !== null; isFirst = false) {
        const page = (await call('contact_page', { after, page_size: 1000 })) as { next: unknown }
        after = page.next
      }
    })
    const { took: undo, wait: waitForUndo } = await besideReader(() =>
      call('undo_batch', { batch }),
    )
    const meanwhile = (what: string, wait: number): Figure => ({
      what: `${what}: another's list meanwhile, 95 of 100`,
      rows: count,
      ours: wait,
      plain: null,
      isMet: wait <= 300,
      goal: '≤ 300 ms',
    })
    const figure = (what: string, ours: number, beside: number | null): Figure => ({
      what,
      rows: count,
      ours,
      plain: beside,
      isMet: null,
      goal: '–',
    })
    figures.push(
      figure('import: rows sent in parts', upload, null),
      figure('import: dry run', check, null),
      figure('import: commit', commit, plain),
      figure(`import: all of it, ${perSecond(all)} beside ${perSecond(plain)}`, all, plain),
      figure('import: undone', undo, null),
      meanwhile('import: commit', waitForCommit),
      meanwhile('import: undone', waitForUndo),
      figure(`export: ${perSecond(pages)} beside ${perSecond(select)}`, pages, select),
    )
    return figures
  } finally {
    await bench.close()
  }
}
