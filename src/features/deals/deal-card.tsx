import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { shownMoney } from '#domain/money.ts'
import { fromList } from '#ui/from-list.ts'
import classes from './deal-card.module.css'
import { ExpectedClose, StageBadge } from './deal-columns.tsx'
import type { Deal } from './queries.ts'

/** For the room it takes before it is measured. */
export const dealCardHeight = 124

type DealCardProps = {
  deal: Deal
  to: string
  today: string
  isSelected: boolean
  onToggle: () => void
  actions: ReactNode
}

/** A deal of the list where there is no room for a table. */
export function DealCard({ deal, to, today, isSelected, onToggle, actions }: DealCardProps) {
  const people = [deal.company_name, deal.contact && contactName(deal.contact)]
  const about = people.filter(Boolean).join(' · ')
  return (
    <article
      className={classes.card}
      data-selected={isSelected || undefined}
      aria-label={deal.name}
    >
      <div className={classes.head}>
        <Checkbox aria-label={`Select ${deal.name}`} checked={isSelected} onChange={onToggle} />
        <div className={classes.titles}>
          <Link to={to} state={fromList} className={classes.name} title={deal.name}>
            <bdi>{deal.name}</bdi>
          </Link>
          <bdi className={classes.about} title={about}>
            {about || '-'}
          </bdi>
        </div>
        <StageBadge stage={deal.stage_name} />
      </div>
      <div className={classes.foot}>
        <span className={classes.value}>{shownMoney(deal.value)}</span>
        <span className={classes.close}>
          <ExpectedClose deal={deal} today={today} />
        </span>
        {actions}
      </div>
    </article>
  )
}
