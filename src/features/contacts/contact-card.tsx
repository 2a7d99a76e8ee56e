import type { ReactNode } from 'react'
import { contactName } from '#domain/contact.ts'
import { EmailLink, PhoneLink } from '#features/fields/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { type CardSelection, ListCard } from '#ui/list-card.tsx'
import classes from './contact-card.module.css'
import { ContactAvatar, LeadStatusBadge } from './contact-columns.tsx'
import type { Contact } from './queries.ts'

/** The estimated height in pixels, until a card is measured. */
export const contactCardHeight = 144

type ContactCardProps = {
  contact: Contact
  to: string
  selection: CardSelection
  actions: ReactNode
}

/** A contact where there is no room for a table. */
export function ContactCard({ contact, to, selection, actions }: ContactCardProps) {
  const name = contactName(contact)
  const about = [contact.role_title, contact.company_name].filter(Boolean).join(' · ')
  return (
    <ListCard
      name={name}
      to={to}
      about={about}
      selection={selection}
      avatar={<ContactAvatar contact={contact} />}
      badge={<LeadStatusBadge status={contact.lead_status} />}
    >
      <div className={classes.links}>
        <WaitingMark id={contact.id} isLong />
        {contact.email && <EmailLink email={contact.email} />}
        {contact.phone_number && <PhoneLink phone={contact.phone_number} />}
      </div>
      {actions}
    </ListCard>
  )
}
