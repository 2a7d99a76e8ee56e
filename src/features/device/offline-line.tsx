import { IconCloudOff } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { clockTime, dayOf, shownMoment } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { isKept } from '#lib/keep-seen.ts'
import { doubtful, isSurelyOffline } from '#lib/network.ts'
import { readAt } from '#lib/query-client.ts'
import { useNow } from '#lib/use-now.ts'
import classes from './offline-line.module.css'
import { tryNetwork } from './queries.ts'

/** Says that there is no network, and from when the data is. Shown while nobody is reached; meanwhile it looks for the network. */
export function OfflineLine() {
  useSearchForNetwork()
  const [isSure, setIsSure] = useState(isSurelyOffline)
  useEffect(() => {
    // A single request that was lost is no news.
    const timer = setTimeout(() => setIsSure(isSurelyOffline()), doubtful)
    return () => clearTimeout(timer)
  }, [])
  const since = useReadSince()
  if (!isSure) return null
  return (
    <div className={classes.line} role="status">
      <IconCloudOff size={16} stroke={1.5} aria-hidden />
      <span>{since ? `You’re offline. Showing data from ${since}.` : 'You’re offline.'}</span>
    </div>
  )
}

/** When the oldest data on the screen was read, such as '14:05'; null without any data. */
function useReadSince(): string | null {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const now = useNow()
  // Renders again when something was read or could not be.
  useIsFetching()
  const shown = queryClient.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey, state }) => isKept(queryKey) && state.data !== undefined,
  })
  if (shown.length === 0) return null
  const at = Math.min(...shown.map(readAt))
  return dayOf(at, timeZone) === dayOf(now, timeZone)
    ? clockTime(at, timeZone)
    : shownMoment(new Date(at).toISOString(), timeZone)
}

const firstPause = 2000
const longestPause = 60_000

/** Asks again and again, after longer and longer pauses, and at once when the browser or the user comes back. */
function useSearchForNetwork(): void {
  useEffect(() => {
    let pause = firstPause
    let timer: ReturnType<typeof setTimeout> | undefined
    function wait(): void {
      timer = setTimeout(async () => {
        if (document.visibilityState === 'visible') await tryNetwork()
        pause = Math.min(pause * 2, longestPause)
        wait()
      }, pause)
    }
    function askNow(): void {
      pause = firstPause
      if (document.visibilityState === 'visible') void tryNetwork()
    }
    wait()
    window.addEventListener('online', askNow)
    document.addEventListener('visibilitychange', askNow)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', askNow)
      document.removeEventListener('visibilitychange', askNow)
    }
  }, [])
}
