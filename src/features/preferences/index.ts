export {
  useFormTimeZone,
  usePreferences,
  useSavePreferences,
  useTimeZone,
  useWeekStart,
} from './queries.ts'
export { themes, useAccountTheme, useTheme } from './theme.ts'
