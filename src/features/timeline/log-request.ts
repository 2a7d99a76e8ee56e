import type { NoteKind } from '#domain/note.ts'
import { createStore } from '#lib/store.ts'

/** What to log; `minutes` is a proposal. */
export type LogRequest = {
  kind: NoteKind
  minutes?: string
  /** The record it is about; without one, that of the page. */
  on?: string
}

// A new object each time: who asks twice is answered twice.
const place = createStore<LogRequest | null>(null)

/** Opens the form of the timeline of a record for a call, a meeting or a note, once the record's page is there. */
export function askToLog(kind: NoteKind, about: Omit<LogRequest, 'kind'> = {}): void {
  place.set({ kind, ...about })
}

/** What the form of a record is asked for; null when it has answered. */
export function useLogRequest(record: string) {
  const request = place.useValue()
  const isHere = request?.on === undefined || request.on === record
  return { request: isHere ? request : null, done: () => place.set(null) }
}
