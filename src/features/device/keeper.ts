import type { QueryClient } from '@tanstack/react-query'
import { deviceStore } from '#lib/device-store.ts'
import { keepSeen } from '#lib/keep-seen.ts'
import { onNews } from '#lib/live.ts'
import { isOffline, watchNetwork } from '#lib/network.ts'
import { storedUser } from '#lib/stored-session.ts'
import { whenIdle } from '#ui/when-idle.ts'
import { type Contents, contactsKey, contactsOf, forgetLoaded } from './kept-data.ts'
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
  let isDue = true
  let isRunning = false
  const isWanted = () =>
    !isOver &&
    !isOffline() &&
    document.visibilityState === 'visible' &&
    storedUser()?.id === account

  async function isFresh(): Promise<boolean> {
    const contents = await store.get<Contents>(contactsKey)
    return contents !== undefined && Date.now() - contents.at < often
  }

  async function run(): Promise<void> {
    if (!isDue || isRunning || !isWanted()) return
    isRunning = true
    try {
      if (!(await isFresh())) await alone(account, () => refreshKept(store, timeZone, isWanted))
      isDue = false
    } catch {
      // The next round tries again.
    } finally {
      isRunning = false
    }
  }

  function note(): void {
    isDue = true
  }
  const stops = [
    keepSeen(queryClient, account),
    onNews(note),
    watchNetwork(() => {
      note()
      // Read and folded before the first search.
      if (isOffline()) whenIdle(() => void contactsOf(account))
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

/** Not where another window of the account is at it. */
async function alone(account: string, run: () => Promise<unknown>): Promise<void> {
  if (!navigator.locks) await run()
  else {
    const options = { ifAvailable: true }
    await navigator.locks.request(`solo-device-${account}`, options, async (lock) => {
      if (lock) await run()
    })
  }
}
