import { zoneChoices } from '#domain/time-zones.ts'

/** The days a week may begin with, by their numbers. */
export const weekdays = [
  { value: '1', label: 'Monday' },
  { value: '0', label: 'Sunday' },
  { value: '6', label: 'Saturday' },
]

/** Every time zone that the browser knows, the chosen one included. */
export function timeZoneChoices(chosen: string): { value: string; label: string }[] {
  return zoneChoices([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])
}
