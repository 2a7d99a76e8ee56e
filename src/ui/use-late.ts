import { useEffect, useState } from 'react'

/** Anything shorter would only flicker. */
const noticeable = 300

/** True once something has been going on for so long that whoever waits should be told. */
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
