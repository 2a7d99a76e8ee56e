import { zoneChoices } from '#domain/time-zones.ts'

/** The choices for the first day of the week. */
export const weekdays = [
  { value: '1', label: 'Monday' },
  { value: '0', label: 'Sunday' },
  { value: '6', label: 'Saturday' },
]

/** All time zones of this browser, and the chosen one. */
export function timeZoneChoices(chosen: string): { value: string; label: string }[] {
  return zoneChoices([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])
}
