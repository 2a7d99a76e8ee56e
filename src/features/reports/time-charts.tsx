import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { activityKinds, forecastLabel, monthLabel, type Report, weekLabel } from '#domain/report.ts'
import { ChartCard } from './chart-card.tsx'
import { Columns } from './columns.tsx'

type ChartProps = { report: Report; hasPeriod: boolean }

/** Won per month, and the forecast. */
export function MonthCharts(props: ChartProps) {
  return (
    <>
      <ForecastChart {...props} />
      <MonthsChart {...props} />
    </>
  )
}

function MonthsChart({ report: { months }, hasPeriod }: ChartProps) {
  return (
    <ChartCard
      title="Won and lost per month"
      caption={hasPeriod ? 'By closing date, in the period' : 'The last twelve months'}
      head={['Month', 'Won', 'Won value', 'Lost', 'Lost value']}
      rows={months.map(({ month, won, won_value, lost, lost_value }) => [
        monthLabel(month),
        shownNumber(won),
        shownMoney(won_value),
        shownNumber(lost),
        shownMoney(lost_value),
      ])}
      empty={months.every(({ won, lost }) => won + lost === 0) && 'No closed deals'}
    >
      <Columns
        isMoney
        data={months.map(({ month, won_value, lost_value }) => ({
          name: monthLabel(month),
          won: Number(won_value),
          lost: Number(lost_value),
        }))}
        series={[
          {
            name: 'won',
            label: 'Won',
            color: 'color-mix(in srgb, var(--mantine-color-green-7) 65%, var(--solo-surface))',
          },
          {
            name: 'lost',
            label: 'Lost',
            color: 'color-mix(in srgb, var(--solo-text-quiet) 45%, var(--solo-surface))',
          },
        ]}
      />
    </ChartCard>
  )
}

function ForecastChart({ report: { forecast }, hasPeriod }: ChartProps) {
  return (
    <ChartCard
      title="Forecast by month"
      caption={
        hasPeriod
          ? 'Open deals expected to close in the period, weighted by win probability'
          : 'Open deals by expected close, weighted by win probability'
      }
      head={['Expected close', 'Deals', 'Value', 'Weighted value']}
      rows={forecast.map((line) => [
        forecastLabel(line),
        shownNumber(line.count),
        shownMoney(line.value),
        shownMoney(line.weighted),
      ])}
      empty={forecast.every(({ count }) => count === 0) && 'No open deals with an expected close'}
    >
      <Columns
        isMoney
        isStacked
        data={forecast.map((line) => ({
          name: forecastLabel(line),
          weighted: Number(line.weighted),
          rest: Number(line.value) - Number(line.weighted),
        }))}
        series={[
          { name: 'weighted', label: 'Weighted value', color: 'var(--solo-accent)' },
          {
            name: 'rest',
            label: 'Not weighted',
            color: 'color-mix(in srgb, var(--solo-accent) 30%, var(--solo-surface))',
          },
        ]}
      />
    </ChartCard>
  )
}

const kindColors = {
  call: 'var(--solo-accent)',
  meeting: 'color-mix(in srgb, var(--solo-accent) 65%, var(--solo-surface))',
  mail: 'color-mix(in srgb, var(--solo-accent) 45%, var(--solo-surface))',
  email: 'color-mix(in srgb, var(--solo-accent) 25%, var(--solo-surface))',
  note: 'color-mix(in srgb, var(--solo-text-quiet) 30%, var(--solo-surface))',
  task: 'color-mix(in srgb, var(--solo-text-quiet) 65%, var(--solo-surface))',
}

/** Activities per week. */
export function ActivitiesChart({ report: { weeks }, hasPeriod }: ChartProps) {
  const total = (week: Report['weeks'][number]) =>
    activityKinds.reduce((sum, { kind }) => sum + week[kind], 0)
  return (
    <ChartCard
      title="Activities per week"
      caption={hasPeriod ? 'In the period' : 'The last twelve weeks'}
      head={['Week of', ...activityKinds.map(({ name }) => name)]}
      rows={weeks.map((week) => [
        weekLabel(week.week),
        ...activityKinds.map(({ kind }) => shownNumber(week[kind])),
      ])}
      empty={weeks.every((week) => total(week) === 0) && 'No activity yet'}
    >
      <Columns
        isStacked
        data={weeks.map(({ week, ...counts }) => ({ name: weekLabel(week), ...counts }))}
        series={activityKinds.map(({ kind, name }) => ({
          name: kind,
          label: name,
          color: kindColors[kind],
        }))}
      />
    </ChartCard>
  )
}
