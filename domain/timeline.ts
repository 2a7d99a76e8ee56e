import type { LoggedChange } from './log.ts'

/** What a timeline can be narrowed to, in the order of its control. The name stands in the address. */
export const timelineParts = [
  { name: 'calls', kind: 'call', label: 'Calls' },
  { name: 'meetings', kind: 'meeting', label: 'Meetings' },
  { name: 'emails', kind: 'email', label: 'Emails' },
  { name: 'notes', kind: 'note', label: 'Notes' },
  { name: 'changes', kind: 'change', label: 'Changes' },
] as const

export type TimelineKind = (typeof timelineParts)[number]['kind']

/** Records have pages, to which an entry can lead. */
const paths = { contact: 'contacts', company: 'companies', deal: 'deals' } as const

export type Origin = { record: keyof typeof paths; id: string; name: string }

/** The table of a record, which is also the path of its page. */
export function tableOf(record: Origin['record']): (typeof paths)[Origin['record']] {
  return paths[record]
}

/** The word between an entry and where it comes from: a call with Maria, a draft for her, a note on the deal. */
export function originWord(record: Origin['record'], kind: TimelineKind): string {
  if (record !== 'contact') return 'on'
  if (kind === 'email') return 'for'
  return kind === 'call' || kind === 'meeting' ? 'with' : 'on'
}

/**
 * Whether a change is told by itself: a deal that was added, moved, won or lost, and a task that was completed. All others are
 * work on the data, which stands back behind what people did.
 */
export function standsOut({ table_name, verb, after }: LoggedChange): boolean {
  if (table_name === 'deals') return verb === 'insert' || Boolean(after && 'stage_id' in after)
  return table_name === 'tasks' && after?.completed === true
}

/** From so many on, changes in a row are folded into one line. */
const fewest = 3

export type Run<Entry> = { entry: Entry } | { folded: Entry[] }

/** Entries in their order, with runs of changes that do not stand out put together. */
export function runsOf<Entry>(entries: Entry[], canFold: (entry: Entry) => boolean): Run<Entry>[] {
  const runs: Run<Entry>[] = []
  let waiting: Entry[] = []
  function end(): void {
    if (waiting.length >= fewest) runs.push({ folded: waiting })
    else runs.push(...waiting.map((entry) => ({ entry })))
    waiting = []
  }
  for (const entry of entries) {
    if (canFold(entry)) {
      waiting.push(entry)
    } else {
      end()
      runs.push({ entry })
    }
  }
  end()
  return runs
}

/** How an e-mail is called that the app has logged: it knows that a draft was opened, not that it was sent or read. */
export function emailTitle(outcome: string | null): string {
  // What earlier versions stored, and what their backups hold.
  return outcome === null || outcome === 'E-mail opened' ? 'Email draft opened' : outcome
}
