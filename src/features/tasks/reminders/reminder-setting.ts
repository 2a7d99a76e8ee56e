import { useSyncExternalStore } from 'react'
import { browserStorage } from '#lib/browser-storage.ts'

/** Reminders in this browser: unsupported, denied by the user, off or on. */
export type ReminderSetting = 'missing' | 'denied' | 'off' | 'on'

const key = 'solo-reminders'
const storage = browserStorage()
const listeners = new Set<() => void>()

/** Cached, because reading the permission is too slow for every render. */
let known: ReminderSetting | null = null

function current(): ReminderSetting {
  known ??= readSetting()
  return known
}

function readSetting(): ReminderSetting {
  if (!('Notification' in window)) return 'missing'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && storage.getItem(key) === 'on' ? 'on' : 'off'
}

function changed(): void {
  known = null
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    // It may have changed while there was no listener.
    known = null
    // Changes by another tab, or in the browser's settings.
    window.addEventListener('storage', changed)
    window.addEventListener('focus', changed)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('storage', changed)
    window.removeEventListener('focus', changed)
  }
}

export function useReminderSetting(): ReminderSetting {
  return useSyncExternalStore(subscribe, current)
}

/** Call only on a user's press: the browser asks for permission once. */
export async function setReminders(isOn: boolean): Promise<void> {
  if (!isOn) storage.removeItem(key)
  else if ((await Notification.requestPermission()) === 'granted') storage.setItem(key, 'on')
  changed()
}
