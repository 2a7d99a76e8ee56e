import { useEffect, useState } from 'react'

/** A shorter wait would only flicker. */
const noticeable = 300

/** True once something has taken so long that the user should see it. */
export function useLate(isGoingOn: boolean): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isGoingOn) return
    const timer = setTimeout(() => setIsLate(true), noticeable)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isGoingOn])
  return isLate
}
