import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Period, periodBefore } from '#domain/period.ts'
import { type ReportFilter, reportAnswer } from '#domain/report.ts'
import { comparison, weekReview } from '#domain/week-review.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { callForJson } from '#lib/supabase.ts'

/** All that the reports show, in one answer: see the database's `report`. */
export function useReport(day: string, filter: ReportFilter) {
  const time_zone = useTimeZone()
  const week_start = useWeekStart()
  return useQuery({
    queryKey: ['report', day, filter, time_zone, week_start],
    queryFn: ({ signal }) => {
      const at = new Date().toISOString()
      const args = { day, filter, at, time_zone, week_start }
      return callForJson('report', args, reportAnswer, signal)
    },
    placeholderData: keepPreviousData,
    meta: { failed: 'Failed to fetch reports' },
  })
}

/** The figures of a period and of the one before. */
export function useComparison({ from, to }: Period, filter: ReportFilter) {
  const time_zone = useTimeZone()
  return useQuery({
    queryKey: ['report', 'compared', from, to, filter, time_zone],
    queryFn({ signal }) {
      const before = periodBefore({ from, to })
      const days = {
        first_day: from,
        last_day: to,
        before_first: before.from,
        before_last: before.to,
      }
      return callForJson('compare_periods', { ...days, filter, time_zone }, comparison, signal)
    },
    placeholderData: keepPreviousData,
  })
}

/** The week that this day is in; see the database's `week_review`. */
export function useWeekReview(day: string) {
  const time_zone = useTimeZone()
  const week_start = useWeekStart()
  return useQuery({
    queryKey: ['week-review', day, time_zone, week_start],
    queryFn({ signal }) {
      const args = { day, at: new Date().toISOString(), time_zone, week_start }
      return callForJson('week_review', args, weekReview, signal)
    },
    placeholderData: keepPreviousData,
    meta: { failed: 'Failed to fetch the week' },
  })
}
