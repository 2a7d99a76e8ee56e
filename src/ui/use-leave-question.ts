import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { confirmAction } from './confirm.tsx'

/** Asks before typed text is lost: by closing, by leaving for another screen, by closing the tab. */
export function useLeaveQuestion(isDirty: boolean) {
  const [isAsking, setIsAsking] = useState(false)
  const isOpen = useRef(false)

  async function mayLeave(): Promise<boolean> {
    if (!isDirty) return true
    if (isOpen.current) return false
    isOpen.current = true
    setIsAsking(true)
    const goAhead = await confirmAction({
      title: 'Discard changes?',
      body: 'What you changed here has not been saved.',
      confirm: 'Discard',
      isDangerous: true,
    })
    isOpen.current = false
    setIsAsking(false)
    return goAhead
  }

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  const ask = useRef(mayLeave)
  ask.current = mayLeave
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    ask.current().then((goAhead) => (goAhead ? blocker.proceed() : blocker.reset()))
  }, [blocker])

  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])

  return { isAsking, mayLeave }
}
