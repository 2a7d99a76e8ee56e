import { useSyncExternalStore } from 'react'
import { browserStorage } from '#lib/browser-storage.ts'

/** Whether this browser reminds: it cannot, it must not, it was not asked to, it does. */
export type ReminderSetting = 'missing' | 'denied' | 'off' | 'on'

const key = 'solo-reminders'
const storage = browserStorage()
const listeners = new Set<() => void>()

/** As it was last read: asking the browser waits for another process, too long for every render. */
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
    // Nobody has listened for what may have changed since.
    known = null
    // Another tab, or the browser's own settings, where the user has just been.
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

/** Only on a press of the user: the browser asks whether it may, once and for all. */
export async function setReminders(isOn: boolean): Promise<void> {
  if (!isOn) storage.removeItem(key)
  else if ((await Notification.requestPermission()) === 'granted') storage.setItem(key, 'on')
  changed()
}
