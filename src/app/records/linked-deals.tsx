import { shownDay } from '#domain/dates.ts'
import type { LinkedDeal } from '#features/companies/index.ts'
import { RecordSection } from '#ui/record-section.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './linked-deals.module.css'

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

/** The hues of the stages that every pipeline begins with. */
const stageColors: Record<string, string> = {
  Lead: 'blue',
  Qualified: 'violet',
  Proposal: 'orange',
  Negotiation: 'yellow',
  'Closed Won': 'green',
  'Closed Lost': 'red',
}

type LinkedDealsProps = { deals: LinkedDeal[]; count: number }

/** What is being sold to them; nothing where there is nothing. */
export function LinkedDeals({ deals, count }: LinkedDealsProps) {
  if (deals.length === 0) return null
  const rest = count - deals.length
  return (
    <RecordSection title="Deals" count={count}>
      <ul className={classes.list}>
        {deals.map(({ id, name, value, stage_name, expected_close_date }) => (
          <li key={id} className={classes.deal}>
            <div className={classes.titles}>
              <bdi className={classes.name} title={name}>
                {name}
              </bdi>
              <span className={classes.about}>
                {dollars.format(value)}
                {expected_close_date &&
                  ` · closes ${shownDay(`${expected_close_date}T00:00:00Z`, 'UTC')}`}
              </span>
            </div>
            <TintBadge color={stageColors[stage_name ?? ''] ?? 'gray'}>
              {stage_name ?? 'No Stage'}
            </TintBadge>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={classes.about}>{`and ${rest.toLocaleString('en-US')} more`}</p>}
    </RecordSection>
  )
}
