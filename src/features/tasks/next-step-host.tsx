import { useEffect } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { noteInput, useNextStepOffer } from './next-step-request.ts'

const NextStepBar = lazyPart(async () => (await import('./next-step-bar.tsx')).NextStepBar)

/** Mounted once in the workspace: the line that a completed task ends in, wherever it was completed. */
export function NextStepHost() {
  const { offer, close } = useNextStepOffer()
  useEffect(() => {
    document.addEventListener('keydown', noteInput, true)
    document.addEventListener('pointerdown', noteInput, true)
    return () => {
      document.removeEventListener('keydown', noteInput, true)
      document.removeEventListener('pointerdown', noteInput, true)
    }
  }, [])
  return offer && <NextStepBar {...offer} onClose={close} />
}
