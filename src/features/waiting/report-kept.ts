import { isOffline } from '#lib/network.ts'
import { showError, showToast } from '#ui/toast.tsx'

/** Loaded with the first one that is taken back. */
export const loadTakeBack = () => import('./take-back.ts')

/** Says that a write waits on this device, and offers to take it back. */
export function reportKept(batch: string): void {
  const when = isOffline() ? 'when you’re back online' : 'in a moment'
  showToast({
    kind: 'kept write',
    message: `Saved on this device. Sends ${when}.`,
    action: { label: 'Take back', onClick: () => takeBackLater(batch) },
  })
}

async function takeBackLater(batch: string): Promise<void> {
  try {
    const { takeBackAsking } = await loadTakeBack()
    await takeBackAsking(batch)
  } catch {
    showError('It could not be taken back. It is still waiting to be sent.')
  }
}
