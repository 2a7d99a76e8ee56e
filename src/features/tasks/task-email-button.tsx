import { IconMail } from '@tabler/icons-react'
import { contactName } from '#domain/contact.ts'
import { openComposer } from '#features/forms/index.ts'
import { IconButton } from '#ui/icon-button.tsx'
import type { Task } from './queries.ts'

/** Writes to the contact of a task, or to those of its deal; the mail belongs to its deal, if it has one. */
export function TaskEmailButton({ task }: { task: Task }) {
  const { contact_id, contact, deal_id, deal_name } = task
  const isOfContact = contact_id && contact
  if (!isOfContact && !deal_id) return null
  const name = isOfContact ? contactName(contact) : (deal_name ?? 'its deal')
  return (
    <IconButton
      data-email
      aria-label={`Email ${name} about ${task.title}`}
      title={`Email ${name}`}
      aria-haspopup="dialog"
      onClick={() =>
        openComposer({
          ...(isOfContact
            ? { contacts: { filter: { ids: [contact_id] }, count: 1 } }
            : { behind: { record: 'deals', filter: { ids: [deal_id] } } }),
          subject: deal_id
            ? { record: 'deal', id: deal_id, name: deal_name ?? '' }
            : { record: 'contact', id: contact_id ?? '', name },
        })
      }
    >
      <IconMail size={16} stroke={1.5} aria-hidden />
    </IconButton>
  )
}
