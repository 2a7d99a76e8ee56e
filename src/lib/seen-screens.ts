import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { deviceStore, keepsData } from './device-store.ts'
import { rememberedUser } from './stored-session.ts'

/** What a screen showed when it was last seen. */
export type SeenScreen = { answers: string; at: number; queries: SeenQuery[] }
export type SeenQuery = { key: QueryKey; data: unknown; at: number }

/** A hash of the sources that define requests and answers: see `scripts/answers-mark.ts`. */
export const answersMark: string = import.meta.env.ANSWERS_MARK ?? ''

/** In milliseconds. */
export const keptFor = 30 * 24 * 60 * 60 * 1000

/** No screen waits longer for what it showed before; in milliseconds. */
const patience = 1000

export const seenKey = (path: string) => `seen:${path}`

/** What stands around every screen is kept under this path. */
export const framePath = '/app'

/** The path of the screen, as its data is kept. */
export function screenPath(path = window.location.pathname): string {
  return /^\/app\/?$/.test(path) ? '/app/dashboard' : path.replace(/\/$/, '')
}

/**
 * Puts what a screen showed when it was last seen into the cache: at the start of the page, so that it shows at once and
 * is then read again, and without a network. What the cache has already is newer.
 */
export async function recallScreen(queryClient: QueryClient, path = screenPath()): Promise<void> {
  const account = rememberedUser()?.id
  if (!account || !keepsData() || !path.startsWith('/app/')) return
  const kept = deviceStore(account).getMany<string>([path, framePath].map(seenKey))
  const late = new Promise<[]>((resolve) => setTimeout(resolve, patience, []))
  const texts = await Promise.race([kept, late])
  if (rememberedUser()?.id !== account) return
  for (const { key, data, at } of texts.flatMap((text) => readSeen(text)?.queries ?? [])) {
    if (queryClient.getQueryData(key) !== undefined) continue
    queryClient.setQueryData(key, data, { updatedAt: at })
    // Otherwise a reload within half a minute would read nothing.
    queryClient.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' })
  }
}

/** Null where another version of the app kept it and the shape of the answers has changed since, or where it is too old. */
export function readSeen(text: unknown, now = Date.now()): SeenScreen | null {
  try {
    const seen: SeenScreen = JSON.parse(`${text}`)
    return seen.answers === answersMark && now - seen.at < keptFor ? seen : null
  } catch {
    return null
  }
}
