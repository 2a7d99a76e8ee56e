type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** False where the browser forbids pages to keep anything. */
export function canRemember(): boolean {
  return openStorage() !== null
}

/**
 * Local storage, or the memory of this page where the browser forbids it: signing in then works, and
 * ends with the tab.
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
