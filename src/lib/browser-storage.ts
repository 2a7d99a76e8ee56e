type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

let isAllowed: boolean | undefined

/** Whether the browser allows local storage. Tried once: each trial writes, and the start of the app asks dozens of times. */
export function canRemember(): boolean {
  isAllowed ??= canWrite()
  return isAllowed
}

/**
 * Local storage, or the memory of this page where the browser forbids it: then signing in works until the tab closes.
 */
export function browserStorage(): TextStorage {
  return canRemember() ? window.localStorage : memory
}

function canWrite(): boolean {
  try {
    const probe = 'solo-probe'
    window.localStorage.setItem(probe, probe)
    window.localStorage.removeItem(probe)
    return true
  } catch {
    return false
  }
}

const items = new Map<string, string>()

const memory: TextStorage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
}
