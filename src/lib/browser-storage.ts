type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Whether the browser allows local storage. */
export function canRemember(): boolean {
  return openStorage() !== null
}

/**
 * Local storage, or the memory of this page where the browser forbids it: then signing in works until the tab closes.
 */
export function browserStorage(): TextStorage {
  return openStorage() ?? memoryStorage()
}

function openStorage(): Storage | null {
  try {
    const probe = 'solo-probe'
    window.localStorage.setItem(probe, probe)
    window.localStorage.removeItem(probe)
    return window.localStorage
  } catch {
    return null
  }
}

function memoryStorage(): TextStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
