import { stageColor, stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { conversionSteps, type Report, reasonLabel } from '#domain/report.ts'
import { Bars } from './bars.tsx'
import { ChartCard } from './chart-card.tsx'
import { WinRate } from './win-rate.tsx'

type ChartsProps = { report: Report; hasPeriod: boolean }

/** The charts of the current deals. */
export function StandingCharts(props: ChartsProps) {
  return (
    <>
      <StagesChart {...props} />
      <ConversionChart {...props} />
      <WinRate {...props} />
      <ReasonsChart {...props} />
    </>
  )
}

function StagesChart({ report: { stages }, hasPeriod }: ChartsProps) {
  return (
    <ChartCard
      title="Pipeline by stage"
      caption={hasPeriod ? 'Value of the deals created in the period' : 'Value of all deals'}
      head={['Stage', 'Deals', 'Value', 'Weighted value']}
      rows={stages.map(({ name, count, value, weighted }) => [
        stageLabel(name),
        shownNumber(count),
        shownMoney(value),
        shownMoney(weighted),
      ])}
      empty={stages.every(({ count }) => count === 0) && 'No deals yet'}
    >
      <Bars
        lines={stages.map(({ name, value }) => ({
          name: stageLabel(name),
          value: Number(value),
          label: shownMoney(value),
          color: stageColor(name),
        }))}
      />
    </ChartCard>
  )
}

function ConversionChart({ report: { conversion }, hasPeriod }: ChartsProps) {
  const steps = conversionSteps(conversion.stages)
  const whose = conversion.pipeline ? `Deals of ${conversion.pipeline}` : 'Deals'
  return (
    <ChartCard
      title="Conversion from stage to stage"
      caption={`${whose}${hasPeriod ? ' created in the period' : ''} that reached each stage`}
      head={['Stage', 'Deals that reached it', 'From previous stage']}
      rows={steps.map(({ name, reached, rate }) => [
        name,
        shownNumber(reached),
        rate === null ? '–' : `${rate}%`,
      ])}
      empty={
        steps.every(({ reached }) => reached === 0) && 'No deals have moved through stages yet'
      }
    >
      <Bars
        lines={steps.map(({ name, reached, rate }) => ({
          name,
          value: reached,
          label: `${shownNumber(reached)}${rate === null ? '' : ` (${rate}%)`}`,
          color: stageColor(name),
        }))}
      />
    </ChartCard>
  )
}

function ReasonsChart({ report: { lost_reasons, lost }, hasPeriod }: ChartsProps) {
  return (
    <ChartCard
      title="Lost reasons"
      caption={hasPeriod ? 'Deals lost in the period' : 'All lost deals'}
      head={['Reason', 'Deals', 'Value']}
      rows={lost_reasons.map(({ reason, count, value }) => [
        reasonLabel(reason),
        shownNumber(count),
        shownMoney(value),
      ])}
      empty={lost === 0 && 'No deals lost'}
    >
      <Bars
        lines={lost_reasons.map(({ reason, count }) => ({
          name: reasonLabel(reason),
          value: count,
          label: shownNumber(count),
          color: 'gray',
        }))}
      />
    </ChartCard>
  )
}
