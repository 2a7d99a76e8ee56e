import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { dayOf, shownDate } from '#domain/dates.ts'
import { isPastClose, stageColor, stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import type { LinkedDeal } from '#features/companies/index.ts'
import { type Linked, openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { NoLines, RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './linked-deals.module.css'

type LinkedDealsProps = {
  deals: LinkedDeal[]
  count: number
  isLoading: boolean
  /** The link of new deals. */
  contact?: Linked
  company?: Linked
  /** The query of the list that holds them all. */
  query: string
}

/** The deals of a contact or company, with a button to add one. */
export function LinkedDeals(props: LinkedDealsProps) {
  const { deals, count, isLoading, contact, company, query } = props
  const today = dayOf(useNow(), useTimeZone())
  const rest = count - deals.length
  return (
    <RecordSection
      title="Deals"
      isLoading={isLoading}
      count={isLoading ? undefined : shownNumber(count)}
      action={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
          onClick={() =>
            openForm({
              form: 'deal',
              ...(contact ? { contact } : {}),
              ...(company ? { company } : {}),
            })
          }
        >
          Add deal
        </Button>
      }
    >
      {isLoading && <Skeleton height={40} aria-hidden />}
      {!isLoading && deals.length === 0 && <NoLines>No deals yet</NoLines>}
      {deals.length > 0 && (
        <RecordLines
          rows={deals}
          renderLine={(deal) => (
            <RecordLine
              name={deal.name}
              // With this query, previous and next step through these deals.
              to={`/app/deals/${deal.id}?${query}`}
              about={<About deal={deal} today={today} />}
              badge={
                <TintBadge color={stageColor(deal.stage_name)}>
                  {stageLabel(deal.stage_name)}
                </TintBadge>
              }
            />
          )}
        />
      )}
      {!isLoading && rest > 0 && (
        <Link to={`/app/deals?${query}`} className={classes.rest}>
          {`and ${shownNumber(rest)} more`}
        </Link>
      )}
    </RecordSection>
  )
}

function About({ deal, today }: { deal: LinkedDeal; today: string }) {
  const day = deal.expected_close_date
  return (
    <>
      {shownMoney(deal.value, deal.currency)}
      {deal.role && (
        <>
          {' · '}
          <bdi>{deal.role}</bdi>
        </>
      )}
      {day && (
        <>
          {' · '}
          <span className={isPastClose(deal, today) ? classes.past : undefined}>
            {`closes ${shownDate(day)}`}
          </span>
        </>
      )}
    </>
  )
}
