import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconMail, IconPrinter } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { dayOf } from '#domain/dates.ts'
import { daysAfter } from '#domain/local-time.ts'
import { weekBegins } from '#domain/period.ts'
import { isSensibleDay } from '#domain/sensible-day.ts'
import { daysName, reviewMail, type WeekReview, weekNames } from '#domain/week-review.ts'
import { useAuth } from '#features/auth/index.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { readProblem } from '#lib/errors.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useNow } from '#lib/use-now.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { useWeekReview } from './queries.ts'
import reports from './reports.module.css'
import { usePaperLook } from './use-paper-look.ts'
import { CallLines, DealLines, TaskLines } from './week-lines.tsx'
import classes from './week-page.module.css'

const urlSchema = z.object({
  /** A day of the week that is shown; left out, it is this week. */
  day: z.optional(z.string().check(z.refine(isSensibleDay))),
})

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What happened in a week, what slipped, and what comes next. */
export function WeekPage() {
  const { state, noticeFor } = useUrlState(urlSchema)
  const today = dayOf(useNow(), useTimeZone())
  const first = weekBegins(state.day ?? today, useWeekStart())
  const { data, error, isPlaceholderData, refetch } = useWeekReview(first)
  usePaperLook()
  return (
    <>
      <ScreenHeader
        title="Week in review"
        subtitle={daysName({ first_day: first, last_day: daysAfter(first, 6) })}
        back={{ label: 'Reports', to: '/app/reports' }}
        actions={<WeekActions first={first} review={isPlaceholderData ? undefined : data} />}
      />
      <AddressNotice {...noticeFor('The week')} />
      {error && (!data || isPlaceholderData) ? (
        <ErrorState
          title="The week could not be loaded"
          message={readProblem(error)}
          onRetry={refetch}
        />
      ) : data ? (
        <div className={classes.week} data-outdated={isPlaceholderData || undefined}>
          <Review review={data} />
        </div>
      ) : (
        <LoadingState text="Loading the week..." />
      )}
    </>
  )
}

function WeekActions({ first, review }: { first: string; review: WeekReview | undefined }) {
  const { user } = useAuth()
  const timeZone = useTimeZone()
  const to = (days: number) => `/app/reports/week?day=${daysAfter(first, days)}`
  return (
    <div className={classes.actions}>
      <ActionIcon component={Link} to={to(-7)} aria-label="Previous week" title="Previous week">
        <IconChevronLeft {...icon} />
      </ActionIcon>
      <ActionIcon component={Link} to={to(7)} aria-label="Next week" title="Next week">
        <IconChevronRight {...icon} />
      </ActionIcon>
      <Button
        component="a"
        variant="default"
        leftSection={<IconMail {...icon} />}
        {...(review ? { href: reviewMail(review, user?.email ?? '', timeZone) } : {})}
        data-disabled={!review || undefined}
      >
        Email to me
      </Button>
      <Button
        variant="default"
        disabled={!review}
        leftSection={<IconPrinter {...icon} />}
        onClick={() => window.print()}
      >
        Print
      </Button>
    </div>
  )
}

function Review({ review }: { review: WeekReview }) {
  const { figures, before } = review
  const names = weekNames(review)
  return (
    <>
      <RecordSection title="Key figures">
        <ComparisonTable
          label="Key figures"
          nowName={names.now}
          beforeName={names.before}
          now={figures}
          before={before}
        />
      </RecordSection>
      <div className={reports.pair}>
        <div className={classes.column}>
          <DealLines title="Won" part={review.won} empty="No deals won" />
          <DealLines title="Lost" part={review.lost} empty="No deals lost" />
          <DealLines title="Moved" part={review.moved} empty="No deals moved" />
          <DealLines title="New deals" part={review.new} empty="No new deals" />
          <CallLines part={review.calls} />
        </div>
        <div className={classes.column}>
          <DealLines title="Slipped deals" part={review.late_deals} empty="No deals slipped" />
          <TaskLines title="Slipped tasks" part={review.late_tasks} empty="No tasks slipped" />
          <DealLines
            title="Closing next week"
            part={review.next_deals}
            empty="No deals expected to close"
          />
          <TaskLines title="Due next week" part={review.next_tasks} empty="Nothing due" />
        </div>
      </div>
    </>
  )
}
