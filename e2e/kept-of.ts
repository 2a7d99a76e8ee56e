import type { Page } from '@playwright/test'
import type { User } from './fixtures.ts'

/** The names of what the browser holds of an account. */
export function keptOf(page: Page, { session }: Pick<User, 'session'>): Promise<string[]> {
  return page.evaluate(async (name) => {
    const known = await indexedDB.databases()
    if (!known.some((each) => each.name === name)) return []
    return new Promise<string[]>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const database = opening.result
        if (!database.objectStoreNames.contains('kept')) return resolve([])
        const all = database.transaction('kept').objectStore('kept').getAllKeys()
        all.onsuccess = () => {
          database.close()
          resolve(all.result.map(String))
        }
      }
    })
  }, `solo-${session.user.id}`)
}
