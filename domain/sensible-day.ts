/** A day of the calendar, `YYYY-MM-DD`, that somebody may have meant. */
export function isSensibleDay(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || day < '1900-01-01' || day > '2200-12-31') return false
  const moment = new Date(`${day}T00:00:00Z`)
  // February 30 is a moment of March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}
