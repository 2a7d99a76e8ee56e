import { confirmAction } from '#ui/confirm.tsx'
import { type Deal, useDeleteDeal } from '../queries.ts'

/** Asks, naming the linked records, and deletes. `onRemoving` is called when the user confirms. */
export function useRemoveDeal(onRemoving: () => void) {
  const remove = useDeleteDeal()
  return async (deal: Deal) => {
    const goAhead = await confirmAction({
      title: `Delete ${deal.name}?`,
      body: 'This also deletes its notes, calls and meetings. Tasks are kept but unlinked.',
      confirm: 'Delete',
      isDangerous: true,
    })
    if (!goAhead) return
    // The mutation reports a failure and rolls back.
    const removal = remove(deal).catch(() => {})
    onRemoving()
    await removal
  }
}
