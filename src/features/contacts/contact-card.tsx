import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { fromList } from '#ui/from-list.ts'
import classes from './contact-card.module.css'
import { ContactAvatar, EmailLink, LeadStatusBadge, PhoneLink } from './contact-columns.tsx'
import type { Contact } from './queries.ts'

/** For the room it takes before it is measured. */
export const contactCardHeight = 144

type ContactCardProps = {
  contact: Contact
  to: string
  isSelected: boolean
  onToggle: () => void
  actions: ReactNode
}

/** A contact where there is no room for a table. */
export function ContactCard({ contact, to, isSelected, onToggle, actions }: ContactCardProps) {
  const name = contactName(contact)
  const about = [contact.role_title, contact.company_name].filter(Boolean).join(' · ')
  return (
    <article className={classes.card} data-selected={isSelected || undefined} aria-label={name}>
      <div className={classes.head}>
        <Checkbox aria-label={`Select ${name}`} checked={isSelected} onChange={onToggle} />
        <ContactAvatar contact={contact} />
        <div className={classes.titles}>
          <Link to={to} state={fromList} className={classes.name} title={name}>
            <bdi>{name}</bdi>
          </Link>
          <bdi className={classes.about} title={about}>
            {about || '-'}
          </bdi>
        </div>
        <LeadStatusBadge status={contact.lead_status} />
      </div>
      <div className={classes.foot}>
        <div className={classes.links}>
          <EmailLink email={contact.email} />
          <PhoneLink phone={contact.phone_number} />
        </div>
        {actions}
      </div>
    </article>
  )
}
