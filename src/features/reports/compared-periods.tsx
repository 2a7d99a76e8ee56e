import { Title } from '@mantine/core'
import { type Period, periodBefore } from '#domain/period.ts'
import { daysName } from '#domain/week-review.ts'
import { readProblem } from '#lib/errors.ts'
import { ErrorState } from '#ui/states.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { useComparison } from './queries.ts'
import { type ReportUrlState, reportFilter } from './report-view.ts'
import classes from './reports.module.css'

/** The chosen period against the one before; nothing while no whole period is chosen. */
export function ComparedPeriods({ state }: { state: ReportUrlState }) {
  const { from, to } = state
  if (!from || !to || from > to) return null
  return <Compared state={state} period={{ from, to }} />
}

function Compared({ state, period }: { state: ReportUrlState; period: Period }) {
  const { pipeline, stage } = reportFilter(state)
  const filter = { ...(pipeline ? { pipeline } : {}), ...(stage ? { stage } : {}) }
  const { data, error, isPlaceholderData, refetch } = useComparison(period, filter)
  const name = ({ from, to }: Period) => daysName({ first_day: from, last_day: to })
  if (error && (!data || isPlaceholderData)) {
    return (
      <ErrorState
        title="The periods could not be compared"
        message={readProblem(error)}
        onRetry={refetch}
      />
    )
  }
  if (!data) return null
  return (
    <section className={classes.compared} aria-label="Compared with the previous period">
      <Title order={2} className={classes.comparedHead ?? ''}>
        Compared with the previous period
      </Title>
      <div className={classes.report} data-outdated={isPlaceholderData || undefined}>
        <ComparisonTable
          label="Compared with the previous period"
          nowName={name(period)}
          beforeName={name(periodBefore(period))}
          {...data}
        />
      </div>
    </section>
  )
}
