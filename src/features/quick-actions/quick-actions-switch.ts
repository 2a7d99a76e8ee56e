import { createStore } from '#lib/store.ts'
import type { Shortcut } from '#ui/shortcut.ts'

type Opened = { is: 'actions' } | { is: 'search'; text: string }

const place = createStore<Opened | null>(null)

/** What the drawer was opened for, or null while it is closed. */
export const useOpenedFor = place.useValue

/** Opens the drawer with its five cards. */
export function openQuickActions(): void {
  place.set({ is: 'actions' })
}

/** Opens the same drawer; the user wants to type. */
export function openSearch(): void {
  openQuickAdd('')
}

/** Opens it with a line that came from elsewhere, for the user to look at and add. */
export function openQuickAdd(text: string): void {
  place.set({ is: 'search', text })
}

export function closeQuickActions(): void {
  place.set(null)
}

export const quickActionsShortcut: Shortcut = { keys: ['Mod+K'], does: 'Quick actions' }

export const searchShortcut: Shortcut = { keys: ['/'], does: 'Search, or create in one line' }
