import { useEffect, useState } from 'react'

/** What browsers say when a part of the app is no longer on the server. */
const missingPart =
  /dynamically imported module|module script failed|importing a module|error loading dynamically|unable to preload/i

/** True when a screen's code could not be fetched: usually a new version has been deployed. */
function isOutdated(error: unknown): boolean {
  return error instanceof Error && missingPart.test(error.message)
}

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
      // Where nothing can be kept, a loop could not be noticed.
      return
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

/** Reloads when a crash comes from a missing part; true while that is on its way. */
export function useReloadWhenOutdated(error: unknown): boolean {
  const [isReloading] = useState(() => isOutdated(error) && reloadOnce.isAllowed())
  useEffect(() => {
    if (isReloading) reloadOnce.run()
  }, [isReloading])
  return isReloading
}
