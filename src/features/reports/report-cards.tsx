import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { longDate, type Report } from '#domain/report.ts'
import { StatCard, StatCards } from '#ui/stat-card.tsx'

/** The figures at the top. */
export function ReportCards({ report }: { report: Report }) {
  const figure = (value: number) => shownNumber(value)
  const onTheDay = `On ${longDate(report.day)}`
  return (
    <>
      <StatCards>
        <StatCard name="Revenue Closed" value={shownMoney(report.revenue_closed)}>
          {`${counted(report.won, 'deal')} won`}
        </StatCard>
        <StatCard name="Total Pipeline Value" value={shownMoney(report.total_value)}>
          {`Across ${figure(report.total_deals)} deals`}
        </StatCard>
        <StatCard name="Active Deals" value={figure(report.active_deals)}>
          In progress
        </StatCard>
        <StatCard name="Upcoming Closes" value={figure(report.upcoming_closes)}>
          Expected soon
        </StatCard>
      </StatCards>
      <StatCards>
        <StatCard name="Contacts Added" value={figure(report.contacts_added)}>
          {onTheDay}
        </StatCard>
        <StatCard name="Companies Added" value={figure(report.companies_added)}>
          {onTheDay}
        </StatCard>
        <StatCard name="Deals Created" value={figure(report.deals_created)}>
          {onTheDay}
        </StatCard>
      </StatCards>
    </>
  )
}
