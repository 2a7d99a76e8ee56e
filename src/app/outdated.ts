import { useCallback, useEffect, useState } from 'react'
import { isCodeMissing, isServerThere } from '#ui/fetch-code.ts'

const key = 'solo-reloaded-at'
const pauseMs = 30_000

/**
 * Reloads the page to get the new version, but not twice in a short time: if the code is still missing after a reload,
 * the user sees a message.
 */
const reloadOnce = {
  isAllowed(): boolean {
    return Date.now() - Number(read()) > pauseMs
  },
  run(): void {
    try {
      window.sessionStorage.setItem(key, String(Date.now()))
    } catch {
      // Without storage `isAllowed` returns false; this reload was requested by the user.
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

/** The state of a crash: checking or reloading, server unreachable, or a bug. */
type Crash = 'pending' | 'unreachable' | 'broken'

/**
 * Reloads after a crash of a screen whose code is missing. Without a connection a reload would end in the browser's
 * error page, so the user sees a message and may try again.
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
