import { isOffline } from '#lib/network.ts'
import { waitingQueue } from '#lib/waiting-state.ts'
import { showError, showToast } from '#ui/toast.tsx'

/** Loaded with the first one that is taken back. */
export const loadTakeBack = () => import('./take-back.ts')

/** Says that a write waits on this device, and offers to take it back. */
export function reportKept(batch: string): void {
  const when = isOffline() ? 'when you’re back online' : 'in a moment'
  showToast({
    kind: 'kept write',
    message: waitingQueue()?.isStored(batch)
      ? `Saved on this device. Sends ${when}.`
      : `This device can’t save it. Sends ${when}, if this window stays open.`,
    action: { label: 'Take back', onClick: () => takeBack(batch) },
  })
}

/** Takes a write back that waits, and says so; asks first if others depend on it. */
export async function takeBack(batch: string): Promise<void> {
  try {
    const { takeBackAsking } = await loadTakeBack()
    await takeBackAsking(batch)
  } catch {
    showError('It could not be taken back. It is still waiting to be sent.')
  }
}
