import { ActionIcon } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { useState } from 'react'
import { useOwnFields } from '#features/own-fields/index.ts'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import type { Contact } from '../queries.ts'

const ShareContactDialog = openedPart(
  async () => (await import('./share-contact-dialog.tsx')).ShareContactDialog,
)

type ShareContactButtonProps = {
  contact: Contact
  /** Deleted in another window. */
  isGone: boolean
}

/** Opens the dialog with the contact's card. */
export function ShareContactButton({ contact, isGone }: ShareContactButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { own } = useOwnFields('contacts')
  return (
    <>
      <ActionIcon
        aria-label="Share contact"
        title="Share contact"
        aria-haspopup="dialog"
        disabled={isGone}
        {...opens(ShareContactDialog, () => setIsOpen(true))}
      >
        <IconQrcode size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <ShareContactDialog contact={contact} own={own} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}
