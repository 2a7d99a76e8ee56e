/** The length to propose for a call, of which only the time away from the page is known, in minutes. */
export function minutesAway(from: number, to: number): string {
  return String(Math.min(1440, Math.max(1, Math.round((to - from) / 60_000))))
}
