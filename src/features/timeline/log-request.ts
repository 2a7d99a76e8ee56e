import type { NoteKind } from '#domain/note.ts'
import { createStore } from '#lib/store.ts'

// A new object each time: who asks twice is answered twice.
const place = createStore<{ kind: NoteKind } | null>(null)

/** Opens the form of the timeline on the screen for a call, a meeting or a note. */
export function askToLog(kind: NoteKind): void {
  place.set({ kind })
}

/** What the form is asked for; null when it has answered. */
export function useLogRequest() {
  return { request: place.useValue(), done: () => place.set(null) }
}
