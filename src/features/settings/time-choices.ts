/** The days a week may begin with, by their numbers. */
export const weekdays = [
  { value: '1', label: 'Monday' },
  { value: '0', label: 'Sunday' },
  { value: '6', label: 'Saturday' },
]

/** Every time zone that the browser knows, the chosen one included, with names that can be searched. */
export function timeZoneChoices(chosen: string): { value: string; label: string }[] {
  const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])
  return [...known].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
