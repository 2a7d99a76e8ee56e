import { withDependents } from '#domain/waiting-writes.ts'
import { undo } from '#features/history/index.ts'
import { takeBack } from '#lib/settle-waiting.ts'
import { waitingQueue } from '#lib/waiting-writes.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { showToast } from '#ui/toast.tsx'

/** Takes a write back, with all that depends on it; asks first if that is more than one. */
export async function takeBackAsking(batch: string): Promise<void> {
  const others = withDependents(waitingQueue()?.all() ?? [], batch).slice(1)
  const goAhead =
    others.length === 0 ||
    (await confirmAction({
      title: `Take back ${others.length + 1} changes?`,
      body: `These belong to it and are taken back too: ${others.map(({ title }) => `“${title}”`).join(', ')}.`,
      confirm: 'Take back',
    }))
  if (!goAhead) return
  if (await takeBack(batch)) {
    showToast({ kind: 'kept write', message: 'Taken back.' })
    return
  }
  showToast({
    kind: 'kept write',
    message: 'It was sent a moment ago.',
    action: {
      label: 'Undo',
      onClick: () =>
        void undo({ batch: async () => batch, onUndone: () => waitingQueue()?.forgetSent(batch) }),
    },
  })
}
