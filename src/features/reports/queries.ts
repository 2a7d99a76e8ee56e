import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReportFilter, reportAnswer } from '#domain/report.ts'
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
