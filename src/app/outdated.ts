import { useCallback, useEffect, useState } from 'react'
import { isCodeMissing, isServerThere } from '#ui/fetch-code.ts'

const key = 'solo-reloaded-at'
const pauseMs = 30_000

/**
 * Loads the page anew, at the address that was wanted, so that the new version takes over. Not twice
 * in a short time: if the part is still missing then, the user is told instead.
 */
const reloadOnce = {
  isAllowed(): boolean {
    return Date.now() - Number(read()) > pauseMs
  },
  run(): void {
    try {
      window.sessionStorage.setItem(key, String(Date.now()))
    } catch {
      // Where nothing can be kept, `isAllowed` says no: this was asked for by the user.
    }
    window.location.reload()
  },
}

function read(): string | null {
  try {
    return window.sessionStorage.getItem(key)
  } catch {
    return String(Date.now())
  }
}

/** What became of a crash: looked into or reloading, no server to reload from, or nothing that would help. */
type Crash = 'pending' | 'unreachable' | 'broken'

/**
 * Reloads when a crash comes from a screen whose code is missing. Without a connection that would give up the page that
 * is there for the browser's own error: then the user is told, and may try again.
 */
export function useCrash(error: unknown): { crash: Crash; tryAgain: () => void } {
  const isMissing = isCodeMissing(error)
  const [crash, setCrash] = useState<Crash>(isMissing ? 'pending' : 'broken')
  const look = useCallback(async (mayReload: boolean) => {
    if (!(await isServerThere())) setCrash('unreachable')
    else if (mayReload) reloadOnce.run()
    else setCrash('broken')
  }, [])
  useEffect(() => {
    if (isMissing) look(reloadOnce.isAllowed())
  }, [isMissing, look])
  return { crash, tryAgain: () => look(true) }
}
