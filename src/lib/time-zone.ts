/** The time zone in which the user sees every date. */
export function useTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
