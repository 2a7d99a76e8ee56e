import { lazyPart } from '#ui/lazy-part.tsx'
import { useNextStepOffer } from './next-step-request.ts'

const NextStepBar = lazyPart(async () => (await import('./next-step-bar.tsx')).NextStepBar)

/** Mounted once in the workspace: the line that a completed task ends in, wherever it was completed. */
export function NextStepHost() {
  const { task, close } = useNextStepOffer()
  return task && <NextStepBar task={task} onClose={close} />
}
