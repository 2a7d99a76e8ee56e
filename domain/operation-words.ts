import { type BatchWords, listed, many, whatWas, wholes } from './batch.ts'
import { clipped } from './change-values.ts'
import type { BatchGroup, LoggedBatch } from './log.ts'

export function imported({ groups, about }: LoggedBatch): BatchWords {
  const of = (verb: BatchGroup['verb']) =>
    groups.filter((group) => group.verb === verb && !(group.table_name in wholes)).map(many)
  const [added, changed] = [of('insert'), of('update')]
  const words = [
    added.length > 0 ? `Imported ${listed(added)}` : '',
    changed.length > 0 ? `${added.length > 0 ? 'updated' : 'Updated'} ${listed(changed)}` : '',
  ]
  const sentence = words.filter(Boolean).join(' and ') || 'Imported a file'
  return { sentence: [{ text: sentence }], details: about ? [about] : [] }
}

export function merged({ groups, about }: LoggedBatch): BatchWords {
  const gone = groups.find(({ table_name, verb }) => verb === 'delete' && !(table_name in wholes))
  if (!gone) return { sentence: [{ text: 'Merged records' }], details: [] }
  const kept = groups.find(({ table_name, verb, count }) => {
    return verb === 'update' && table_name === gone.table_name && count === 1
  })
  // One whose values stayed as they were is only known by its name.
  const name = kept ? whatWas(kept) : about ? [{ text: clipped(about) }] : []
  const into = name.length > 0 ? [{ text: ' into ' }, ...name] : []
  return { sentence: [{ text: 'Merged ' }, ...whatWas(gone), ...into], details: [] }
}

/** 'Renamed tag VIP to Key account': the database keeps both names with an arrow, which the app's font lacks. */
export function tagged(verb: string, { groups, about }: LoggedBatch): BatchWords {
  return {
    sentence: [
      { text: about ? `${verb} tag ${clipped(about.replace(' → ', ' to '))}` : `${verb} a tag` },
    ],
    details: [listed(groups.map(many))],
  }
}

export function restored({ groups, about }: LoggedBatch): BatchWords {
  const added = groups.filter(
    ({ verb, table_name }) => verb === 'insert' && !(table_name in wholes),
  )
  const what = listed(added.map(many)) || 'records'
  return {
    sentence: [{ text: `Restored ${what} from a backup` }],
    details: about ? [about] : [],
  }
}

export function sampled({ groups }: LoggedBatch): BatchWords {
  const isGone = groups.some(({ verb }) => verb === 'delete')
  const what = groups.filter(
    ({ verb, table_name }) => verb === (isGone ? 'delete' : 'insert') && !(table_name in wholes),
  )
  return {
    sentence: [{ text: isGone ? 'Removed the sample data' : 'Loaded sample data' }],
    details: what.length > 0 ? [listed(what.map(many))] : [],
  }
}
