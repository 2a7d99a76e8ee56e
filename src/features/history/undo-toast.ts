import { errorMessage } from '#lib/errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { showError, showToast } from '#ui/toast.tsx'
import { conflictsInWords } from './conflicts.ts'
import { undoBatch } from './queries.ts'

type UndoToast = {
  message: string
  /** What is to be undone; asked for when Undo is pressed. */
  batch: () => Promise<string>
  /** The lists show it again. */
  onUndone: () => void
}

/** Says that something was done, and takes it back on demand. */
export function showUndoToast({ message, batch, onUndone }: UndoToast): void {
  showToast({
    message,
    action: { label: 'Undo', onClick: () => undo({ batch, onUndone }) },
  })
}

/** Takes a batch back, and asks first where only a part of it can be. */
export async function undo({ batch, onUndone }: Omit<UndoToast, 'message'>): Promise<void> {
  try {
    if (await undoAsking(await batch())) onUndone()
  } catch (error) {
    showError(`Failed to undo: ${errorMessage(error)}`)
  }
}

/** False when nothing came back: the user was told why, or thought better of it. */
async function undoAsking(batch: string): Promise<boolean> {
  const { conflicts } = await undoBatch(batch, 'refuse')
  if (conflicts.length === 0) {
    showToast({ message: 'Undone' })
    return true
  }
  if (conflicts.every(({ reason }) => reason === 'undone')) {
    showToast({ message: 'This has been undone already.' })
    return true
  }
  const goAhead = await confirmAction({
    title: 'Undo what can be undone?',
    body: `These would stay as they are: ${conflictsInWords(conflicts)}.`,
    confirm: 'Undo the rest',
  })
  if (!goAhead) return false
  const { undone } = await undoBatch(batch, 'keep')
  if (undone === 0) {
    showError('Nothing was left that could be undone.')
    return false
  }
  showToast({ message: 'Undone, except what changed since.' })
  return true
}
