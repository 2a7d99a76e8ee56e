import type { ReactNode } from 'react'
import { counted } from '#domain/counted.ts'
import { type CardSelection, ListCard } from '#ui/list-card.tsx'
import { CompanyAvatar } from './company-columns.tsx'
import classes from './company-list-card.module.css'
import type { Company } from './queries.ts'

/** The estimated height in pixels, until a card is measured. */
export const companyListCardHeight = 124

type CompanyListCardProps = {
  company: Company
  to: string
  selection: CardSelection
  actions: ReactNode
}

/** A company of the table where there is no room for one: it can be selected, as in the table. */
export function CompanyListCard({ company, to, selection, actions }: CompanyListCardProps) {
  const { name, industry, location, contacts, open_deals } = company
  return (
    <ListCard
      name={name}
      to={to}
      about={[industry, location].filter(Boolean).join(' · ')}
      selection={selection}
      avatar={<CompanyAvatar company={company} />}
      badge={null}
    >
      <span className={classes.figures}>
        {counted(contacts, 'contact')} · {counted(open_deals, 'open deal')}
      </span>
      {actions}
    </ListCard>
  )
}
