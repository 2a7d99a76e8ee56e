import { Text } from '@mantine/core'
import { contactName } from '#domain/contact.ts'
import { closeWords, isPastClose, stageColor, stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import type { Report, ReportDeal } from '#domain/report.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { NoLines, RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './reports.module.css'

type ReportListsProps = { report: Report; today: string }

/** The upcoming closes, nearest first. */
export function UpcomingCloses({ report: { upcoming }, today }: ReportListsProps) {
  return (
    <RecordSection title="Upcoming Deal Closes">
      {upcoming.length === 0 && <NoLines>No upcoming deal closes</NoLines>}
      <Deals deals={upcoming} today={today} />
    </RecordSection>
  )
}

/** The newest deals. */
export function AllDeals({ report: { deals, total_deals }, today }: ReportListsProps) {
  return (
    <RecordSection title="All Deals">
      {deals.length === 0 && <NoLines>No deals found</NoLines>}
      <Deals deals={deals} today={today} />
      {total_deals > deals.length && (
        <Text size="xs" c="dimmed" pt="sm">
          {`Showing ${deals.length} of ${shownNumber(total_deals)} deals`}
        </Text>
      )}
    </RecordSection>
  )
}

function Deals({ deals, today }: { deals: ReportDeal[]; today: string }) {
  if (deals.length === 0) return null
  return (
    <RecordLines
      rows={deals}
      renderLine={(deal) => (
        <RecordLine
          name={deal.name}
          to={`/app/deals/${deal.id}`}
          about={<About deal={deal} today={today} />}
          badge={
            <span className={classes.figures}>
              <TintBadge color={stageColor(deal.stage_name)}>
                {stageLabel(deal.stage_name)}
              </TintBadge>
              <span className={classes.value}>{shownMoney(deal.value, deal.currency)}</span>
            </span>
          }
        />
      )}
    />
  )
}

function About({ deal, today }: { deal: ReportDeal; today: string }) {
  const timeZone = useTimeZone()
  const { company_name, contact } = deal
  const whom = [company_name, contact && contactName(contact)].filter((each) => each)
  return (
    <>
      <span className={isPastClose(deal, today) ? classes.past : undefined}>
        {closeWords(deal, timeZone)}
      </span>
      {whom.length > 0 && (
        <>
          {' · '}
          <bdi>{whom.join(' · ')}</bdi>
        </>
      )}
    </>
  )
}
