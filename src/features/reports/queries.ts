import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Report, ReportFilter } from '#domain/report.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { callFunction } from '#lib/supabase.ts'

/** All that the reports show, in one answer: see the database's `report`. */
export function useReport(day: string, filter: ReportFilter) {
  const time_zone = useTimeZone()
  const week_start = useWeekStart()
  return useQuery({
    queryKey: ['report', day, filter, time_zone, week_start],
    queryFn: ({ signal }): Promise<Report> => {
      const at = new Date().toISOString()
      return callFunction('report', { day, filter, at, time_zone, week_start }, signal)
    },
    placeholderData: keepPreviousData,
    meta: { failed: 'Failed to fetch reports' },
  })
}
