import type { NoteKind } from '#domain/note.ts'
import { createStore } from '#lib/store.ts'

/** What to log; `minutes` is a proposal. */
export type LogRequest = { kind: NoteKind; minutes?: string }

// A new object each time: who asks twice is answered twice.
const place = createStore<LogRequest | null>(null)

/** Opens the form of the timeline on the screen for a call, a meeting or a note. */
export function askToLog(kind: NoteKind, minutes?: string): void {
  place.set(minutes ? { kind, minutes } : { kind })
}

/** What the form is asked for; null when it has answered. */
export function useLogRequest() {
  return { request: place.useValue(), done: () => place.set(null) }
}
