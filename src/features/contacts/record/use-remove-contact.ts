import { contactName } from '#domain/contact.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { type Contact, useDeleteContact } from '../queries.ts'

/** Asks, naming the linked records, and deletes. `onRemoving` is called when the user confirms. */
export function useRemoveContact(onRemoving: () => void) {
  const remove = useDeleteContact()
  return async (contact: Contact) => {
    const goAhead = await confirmAction({
      title: `Delete ${contactName(contact)}?`,
      body: 'This also deletes its notes, calls and meetings. Tasks and deals are kept but unlinked.',
      confirm: 'Delete',
      isDangerous: true,
    })
    if (!goAhead) return
    // The mutation reports a failure and rolls back.
    const removal = remove(contact).catch(() => {})
    onRemoving()
    await removal
  }
}
