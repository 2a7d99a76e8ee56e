import type { QueryClient } from '@tanstack/react-query'
import { deviceStore } from '#lib/device-store.ts'
import { keepSeen } from '#lib/keep-seen.ts'
import { onNews } from '#lib/live.ts'
import { isOffline, watchNetwork } from '#lib/network.ts'
import { storedUser } from '#lib/stored-session.ts'
import { whenIdle } from '#ui/when-idle.ts'
import { contactsOf, forgetLoaded, readKey } from './kept-data.ts'
import { refreshKept } from './queries.ts'

/** At most this often, in milliseconds. */
const often = 5 * 60_000

/**
 * Keeps what the screens show, and refreshes what the device keeps of the account: at the start, and when something has
 * changed, but not while the window is hidden. Of several windows one does it.
 */
export function keepDevice(queryClient: QueryClient, account: string, timeZone: string) {
  const store = deviceStore(account)
  let isOver = false
  /** The last time at which something may have changed; null when all of it is kept. */
  let changedAt: number | null = Date.now()
  /** What this window has read, also where the browser keeps nothing. */
  let readHere = 0
  let isRunning = false
  const isWanted = () =>
    !isOver &&
    !isOffline() &&
    document.visibilityState === 'visible' &&
    storedUser()?.id === account

  /** When the last reading of the account began, by this window or another. */
  async function readAt(): Promise<number> {
    const read = Math.max(readHere, (await store.get<number>(readKey)) ?? 0)
    // The clock was set back.
    return read > Date.now() ? 0 : read
  }

  async function refresh(): Promise<void> {
    const begun = Date.now()
    if (await refreshKept(store, timeZone, isWanted)) readHere = begun
  }

  async function run(): Promise<void> {
    if (changedAt === null || isRunning || !isWanted()) return
    isRunning = true
    try {
      if (Date.now() - (await readAt()) >= often) await alone(account, refresh)
      // What changed while it was read, or since then, is for a later round.
      if ((await readAt()) > changedAt) changedAt = null
    } catch {
      // The next round tries again.
    } finally {
      isRunning = false
    }
  }

  function note(): void {
    changedAt = Date.now()
  }
  const stops = [
    keepSeen(queryClient, account),
    onNews(note),
    watchNetwork(() => {
      note()
      // Read and folded before the first search.
      if (isOffline()) whenIdle(() => void contactsOf(account).catch(() => {}))
    }),
    queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') note()
    }),
  ]
  const timer = setInterval(run, often / 5)
  whenIdle(run)
  return () => {
    isOver = true
    clearInterval(timer)
    for (const stop of stops) stop()
    forgetLoaded()
  }
}

/** Does nothing while another window of the account is reading. */
async function alone(account: string, run: () => Promise<unknown>): Promise<void> {
  if (!navigator.locks) await run()
  else {
    const options = { ifAvailable: true }
    await navigator.locks.request(`solo-device-${account}`, options, async (lock) => {
      if (lock) await run()
    })
  }
}
