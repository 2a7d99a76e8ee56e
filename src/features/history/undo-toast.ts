import { errorMessage } from '#lib/errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { showError, showToast, type Toast } from '#ui/toast.tsx'
import { conflictsInWords } from './conflicts.ts'
import { undoBatch } from './queries.ts'

type UndoToast = {
  message: string
  /** Returns the batch to undo, or several, the newest first; called when Undo is pressed. */
  batch: () => Promise<string | string[]>
  onUndone: () => void
  /** See `Toast`. */
  kind?: string
  also?: Toast['also']
}

/** Shows a success toast with Undo. */
export function showUndoToast({ message, batch, onUndone, ...toast }: UndoToast): void {
  showToast({
    ...toast,
    message,
    action: { label: 'Undo', onClick: () => undo({ batch, onUndone }) },
  })
}

type UndoOrder = Omit<UndoToast, 'message' | 'kind' | 'also'> & {
  /** What was done, for those who do not see what they undo. */
  what?: string
}

/** Undoes a batch; asks first if only a part of it can be undone. */
export async function undo({ batch, onUndone, what }: UndoOrder): Promise<void> {
  try {
    const batches = [await batch()].flat()
    const first = batches.pop()
    for (const later of batches) await undoBatch(later, 'refuse')
    if (first && (await undoAsking(first, what))) onUndone()
  } catch (error) {
    showError(`Failed to undo: ${errorMessage(error)}`)
  }
}

/** Whether the batch is undone, now or before; false when the user cancelled or nothing was left to undo. */
async function undoAsking(batch: string, what?: string): Promise<boolean> {
  const { conflicts } = await undoBatch(batch, 'refuse')
  if (conflicts.length === 0) {
    showToast({ message: what ? `Undone: ${what}` : 'Undone' })
    return true
  }
  if (conflicts.every(({ reason }) => reason === 'undone')) {
    showToast({ message: 'Already undone.' })
    return true
  }
  const goAhead = await confirmAction({
    title: 'Undo the rest?',
    body: `These can’t be undone: ${conflictsInWords(conflicts)}.`,
    confirm: 'Undo the rest',
  })
  if (!goAhead) return false
  const { undone } = await undoBatch(batch, 'keep')
  if (undone === 0) {
    showError('Nothing left to undo.')
    return false
  }
  showToast({ message: 'Undone, except what changed since then.' })
  return true
}
