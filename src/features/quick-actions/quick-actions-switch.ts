import { createStore } from '#lib/store.ts'
import type { Shortcut } from '#ui/shortcut.ts'

const place = createStore<'actions' | 'search' | null>(null)

/** What the drawer was opened for, or null while it is closed. */
export const useOpenedFor = place.useValue

/** Opens the drawer with its five cards. */
export function openQuickActions(): void {
  place.set('actions')
}

/** Opens the same drawer; the user wants to type. */
export function openSearch(): void {
  place.set('search')
}

export function closeQuickActions(): void {
  place.set(null)
}

export const quickActionsShortcut: Shortcut = { keys: ['Mod+K'], does: 'Quick actions' }

export const searchShortcut: Shortcut = { keys: ['/'], does: 'Search, or create in one line' }
