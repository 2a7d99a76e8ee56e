import { Menu } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { UnfoldedMenu } from '#ui/unfolded.tsx'

type EmailChoicesProps = {
  label: string
  /** The record's own. */
  addresses: string[]
  /** How many contacts can be written to. */
  contacts: number
  onAddress: (address: string) => void
  onContacts: () => void
  onClose: () => void
}

/** Whom to write to, where a record has both addresses and contacts. */
export function EmailChoices(props: EmailChoicesProps) {
  const { addresses, contacts, onAddress, onContacts, ...menu } = props
  return (
    <UnfoldedMenu {...menu} width="max-content">
      {contacts > 0 && <Menu.Item onClick={onContacts}>{counted(contacts, 'contact')}</Menu.Item>}
      {addresses.map((address) => (
        <Menu.Item key={address} onClick={() => onAddress(address)}>
          <bdi>{address}</bdi>
        </Menu.Item>
      ))}
    </UnfoldedMenu>
  )
}
