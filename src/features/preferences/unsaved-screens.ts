import { type Screens, type SeenScreen, withSeen } from '#domain/remembered-screens.ts'
import type { ViewScreen } from '#domain/saved-view.ts'

export type ScreenChange = Partial<SeenScreen>

/** What this window changed and the database has not confirmed yet. */
const unsaved = new Map<ViewScreen, ScreenChange>()

/** Adds a change to what is to be saved of a list. */
export function noteUnsaved(screen: ViewScreen, change: ScreenChange): void {
  unsaved.set(screen, { ...unsaved.get(screen), ...change })
}

export function unsavedOf(screen: ViewScreen): ScreenChange {
  return unsaved.get(screen) ?? {}
}

/** Called with what was sent: what was changed again meanwhile still has to be saved. */
export function dropUnsaved(screen: ViewScreen, sent: ScreenChange): void {
  if (unsaved.get(screen) === sent) unsaved.delete(screen)
}

/** What was read, with the changes of this window: a read that began before a write must not take it back. */
export function withUnsaved(read: Screens): Screens {
  let all = read
  for (const [screen, change] of unsaved) all = withSeen(all, screen, change)
  return all
}
