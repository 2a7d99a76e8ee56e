import type { ReactNode } from 'react'
import { contactName } from '#domain/contact.ts'
import { shownMoney } from '#domain/money.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { type CardSelection, ListCard } from '#ui/list-card.tsx'
import classes from './deal-card.module.css'
import { ExpectedClose, StageBadge } from './deal-columns.tsx'
import { DealMarks } from './deal-marks.tsx'
import type { Deal } from './queries.ts'

/** The estimated height in pixels, until a card is measured. */
export const dealCardHeight = 124

type DealCardProps = {
  deal: Deal
  to: string
  today: string
  selection: CardSelection
  actions: ReactNode
}

/** A deal of the list where there is no room for a table. */
export function DealCard({ deal, to, today, selection, actions }: DealCardProps) {
  const people = [deal.company_name, deal.contact && contactName(deal.contact)]
  return (
    <ListCard
      name={deal.name}
      to={to}
      about={people.filter(Boolean).join(' · ')}
      selection={selection}
      badge={<StageBadge stage={deal.stage_name} />}
      note={<DealMarks deal={deal} isLong />}
    >
      <span className={classes.value}>{shownMoney(deal.value, deal.currency)}</span>
      <WaitingMark id={deal.id} isLong />
      <span className={classes.close}>
        <ExpectedClose deal={deal} today={today} />
      </span>
      {actions}
    </ListCard>
  )
}
