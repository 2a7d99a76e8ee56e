export {
  preferencesKey,
  useFormTimeZone,
  usePreferences,
  useSavePreferences,
  useTimeZone,
  useWeekStart,
} from './queries.ts'
export { RequirePreferences } from './require-preferences.tsx'
export { useRememberScreen, useSeenScreens } from './screens.ts'
export { themes, useAccountTheme, useTheme } from './theme.ts'
