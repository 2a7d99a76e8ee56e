import { Text } from '@mantine/core'
import { dayOf } from '#domain/dates.ts'
import { longDate } from '#domain/report.ts'
import { UncountedNotice } from '#features/money/index.ts'
import { usePipelines } from '#features/pipelines/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readProblem } from '#lib/errors.ts'
import { useUrlChoices, useUrlState } from '#lib/url-state.ts'
import { useNow } from '#lib/use-now.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { DayField } from '#ui/day-field.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { FilterChips } from '#ui/list-toolbar.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ErrorState } from '#ui/states.tsx'
import { StandingCharts } from './charts.tsx'
import { ComparedPeriods } from './compared-periods.tsx'
import { PeriodChoice } from './period-choice.tsx'
import { useReport } from './queries.ts'
import { filterChips, ReportActions } from './report-actions.tsx'
import { ReportCards } from './report-cards.tsx'
import { AllDeals, UpcomingCloses } from './report-lists.tsx'
import { ReportSkeleton } from './report-skeleton.tsx'
import { reportFilter, reportUrlSchema } from './report-view.ts'
import classes from './reports.module.css'
import { usePaperLook } from './use-paper-look.ts'

// The chart library is large and loads after the figures.
const loadCharts = () => import('./time-charts.tsx')
const MonthCharts = lazyPart(async () => (await loadCharts()).MonthCharts, {
  name: 'The charts by month',
  // As high as both charts, so that nothing below them moves.
  loading: () => <div className={classes.coming} />,
})
const ActivitiesChart = lazyPart(async () => (await loadCharts()).ActivitiesChart, {
  name: 'The chart of activities',
})

/** The reports: figures of a day, deals, charts. */
export function ReportsPage() {
  const { state, setState, noticeFor } = useUrlState(reportUrlSchema)
  const today = dayOf(useNow(), useTimeZone())
  const day = state.day ?? today
  const { pipelines } = usePipelines()
  const { data, error, isPlaceholderData, refetch } = useReport(day, reportFilter(state))
  const hasPeriod = Boolean(state.from || state.to)
  usePaperLook()
  return (
    <>
      <ScreenHeader
        title="Reports & Analytics"
        tabTitle="Reports"
        actions={
          <ReportActions
            pipelines={pipelines}
            chips={filterChips(state, setState, pipelines)}
            report={isPlaceholderData || error ? undefined : data}
          />
        }
      />
      <div className={classes.date}>
        <ReportDate today={today} />
        <Text size="sm" c="dimmed" role="status">
          {`Showing data for ${longDate(day)}`}
        </Text>
      </div>
      <PeriodChoice today={today} />
      <ReportChips />
      <AddressNotice {...noticeFor('The report')} />
      {error && (!data || isPlaceholderData) ? (
        <ErrorState
          title="The reports could not be loaded"
          message={readProblem(error)}
          onRetry={refetch}
        />
      ) : data ? (
        <div className={classes.report} data-outdated={isPlaceholderData || undefined}>
          <ComparedPeriods state={state} />
          <ReportCards report={data} />
          <UncountedNotice uncounted={data.uncounted} />
          <div className={classes.pair}>
            <div className={classes.column}>
              <MonthCharts report={data} hasPeriod={hasPeriod} />
              <StandingCharts report={data} hasPeriod={hasPeriod} />
            </div>
            <div className={classes.column}>
              <UpcomingCloses report={data} today={today} />
              <AllDeals report={data} today={today} />
              <ActivitiesChart report={data} hasPeriod={hasPeriod} />
            </div>
          </div>
        </div>
      ) : (
        <ReportSkeleton />
      )}
    </>
  )
}

function ReportDate({ today }: { today: string }) {
  const { state, setState } = useUrlChoices(reportUrlSchema)
  return (
    <DayField
      label="Report Date"
      value={state.day ?? today}
      onChange={(chosen) => setState({ day: chosen === today ? undefined : chosen })}
    />
  )
}

function ReportChips() {
  const { state, setState } = useUrlChoices(reportUrlSchema)
  const { pipelines } = usePipelines()
  return <FilterChips chips={filterChips(state, setState, pipelines)} />
}
