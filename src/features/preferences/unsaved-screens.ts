import { type Screens, type SeenScreen, withSeen } from '#domain/remembered-screens.ts'
import type { ViewScreen } from '#domain/saved-view.ts'

export type ScreenChange = Partial<SeenScreen>

/** What an account changed in this window and the database has not confirmed yet. */
type Unsaved = { account: string; screen: ViewScreen; change: ScreenChange }

const unsaved = new Map<string, Unsaved>()
const keyOf = (account: string, screen: ViewScreen) => `${account} ${screen}`

/** Adds a change to what is to be saved of a list. */
export function noteUnsaved(account: string, screen: ViewScreen, change: ScreenChange): void {
  const before = unsavedOf(account, screen)
  unsaved.set(keyOf(account, screen), { account, screen, change: { ...before, ...change } })
}

export function unsavedOf(account: string, screen: ViewScreen): ScreenChange {
  return unsaved.get(keyOf(account, screen))?.change ?? {}
}

/** Called with what was sent: what was changed again meanwhile still has to be saved. */
export function dropUnsaved(account: string, screen: ViewScreen, sent: ScreenChange): void {
  if (unsavedOf(account, screen) === sent) unsaved.delete(keyOf(account, screen))
}

/** What was read, with the changes of this window: a read that began before a write must not take it back. */
export function withUnsaved(account: string, read: Screens): Screens {
  let all = read
  for (const each of unsaved.values()) {
    if (each.account === account) all = withSeen(all, each.screen, each.change)
  }
  return all
}
