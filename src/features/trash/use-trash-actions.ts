import { useQueryClient } from '@tanstack/react-query'
import { counted } from '#domain/counted.ts'
import { conflictsInWords, showUndoToast } from '#features/history/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { showError, showToast } from '#ui/toast.tsx'
import {
  countTrash,
  type RestoreAnswer,
  type TrashRow,
  useEmptyTrash,
  useRemoveOne,
  useRestoreAll,
  useRestoreOne,
} from './queries.ts'
import { nameOf } from './trash-line.tsx'

/** The actions of the trash. The mutations report failures and roll back. */
export function useTrashActions() {
  const queryClient = useQueryClient()
  const sendOne = useRestoreOne()
  const sendAll = useRestoreAll()
  const sendRemove = useRemoveOne()
  const sendEmpty = useEmptyTrash()

  function report({ batch, conflicts }: RestoreAnswer, done: string): void {
    const left = conflictsInWords(conflicts)
    if (!batch) {
      showError(`Not restored: ${left}.`)
      return
    }
    showUndoToast({
      message: left ? `${done}, except ${left}.` : done,
      batch: async () => batch,
      onUndone: () => readFromTheStart(queryClient),
    })
  }

  async function restoreOne(row: TrashRow): Promise<void> {
    const answer = await sendOne(row).catch(() => null)
    if (answer) report(answer, `${nameOf(row)} restored`)
  }

  async function restoreAll(row: TrashRow): Promise<void> {
    const answer = await sendAll(row).catch(() => null)
    if (answer) report(answer, `${counted(answer.restored, 'record')} restored`)
  }

  async function removeOne(row: TrashRow): Promise<void> {
    const goAhead = await confirmAction({
      title: `Remove ${nameOf(row)} for good?`,
      body: 'This can’t be undone.',
      confirm: 'Remove for good',
      isDangerous: true,
    })
    if (!goAhead) return
    const answer = await sendRemove(row).catch(() => null)
    if (!answer) return
    const message = answer.count > 0 ? `${nameOf(row)} removed for good` : 'Already removed.'
    showToast({ message })
  }

  async function empty(): Promise<void> {
    const count = await countTrash().catch((error: unknown) => {
      showError(`Failed to empty the trash: ${errorMessage(error)}`)
      return 0
    })
    if (count === 0) return
    const goAhead = await confirmAction({
      title: 'Empty the trash?',
      body: `This removes ${counted(count, 'record')} for good. It can’t be undone.`,
      confirm: 'Empty trash',
      isDangerous: true,
    })
    if (!goAhead) return
    const answer = await sendEmpty(count).catch(() => null)
    if (answer) showToast({ message: `${counted(answer.count, 'record')} removed for good` })
  }

  return { restoreOne, restoreAll, removeOne, empty }
}
