export { useTimeZone, useWeekStart } from './queries.ts'
