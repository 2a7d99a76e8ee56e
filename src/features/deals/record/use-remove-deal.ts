import { confirmAction } from '#ui/confirm.tsx'
import { type Deal, useDeleteDeal } from '../queries.ts'

/** Asks, with what hangs on it, and deletes. `onRemoving`: the user has said yes. */
export function useRemoveDeal(onRemoving: () => void) {
  const remove = useDeleteDeal()
  return async (deal: Deal) => {
    const goAhead = await confirmAction({
      title: `Delete ${deal.name}?`,
      body: 'Notes, calls and meetings go with it. Tasks stay and lose their link to it.',
      confirm: 'Delete',
      isDangerous: true,
    })
    if (!goAhead) return
    // A failure is told, and the row is back.
    const removal = remove(deal).catch(() => {})
    onRemoving()
    await removal
  }
}
