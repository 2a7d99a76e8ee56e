import { shownNumber } from '#domain/figures.ts'
import { type Report, shownDays, winRate } from '#domain/report.ts'
import { Bars } from './bars.tsx'
import { ChartCard } from './chart-card.tsx'
import classes from './charts.module.css'

type WinRateProps = { report: Report; hasPeriod: boolean }

/** The share of won deals, and the average days to close. */
export function WinRate({ report, hasPeriod }: WinRateProps) {
  const { won, lost, average_days, median_days } = report
  const rate = winRate(report)
  const shownRate = rate === null ? '–' : `${rate}%`
  return (
    <ChartCard
      title="Win rate and days to close"
      caption={hasPeriod ? 'Deals closed in the period' : 'All closed deals'}
      head={['Figure', 'Value']}
      rows={[
        ['Win rate', shownRate],
        ['Won', shownNumber(won)],
        ['Lost', shownNumber(lost)],
        ['Days to close, average', shownDays(average_days)],
        ['Days to close, median', shownDays(median_days)],
      ]}
      empty={rate === null && 'No closed deals'}
    >
      <div className={classes.figures}>
        <Figure name="Win rate" value={shownRate} />
        <Figure name="Days to close, average" value={shownDays(average_days)} />
        <Figure name="Median" value={shownDays(median_days)} />
      </div>
      <Bars
        lines={[
          { name: 'Won', value: won, label: shownNumber(won), color: 'green' },
          { name: 'Lost', value: lost, label: shownNumber(lost), color: 'gray' },
        ]}
      />
    </ChartCard>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <div className={classes.figureName}>{name}</div>
      <div className={classes.figure}>{value}</div>
    </div>
  )
}
