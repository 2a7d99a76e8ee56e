import { dateFormats } from '#domain/habits.ts'
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

/** Each way to write a day, by the example of one whose day and month cannot be taken for each other. */
const examples: Record<(typeof dateFormats)[number], string> = {
  'month day, year': 'November 15, 2026',
  'day month year': '15 November 2026',
  'yyyy-mm-dd': '2026-11-15',
  'dd.mm.yyyy': '15.11.2026',
  'dd/mm/yyyy': '15/11/2026',
  'mm/dd/yyyy': '11/15/2026',
}

export function dateFormatChoices(): { value: string; label: string }[] {
  return dateFormats.map((value) => ({ value, label: examples[value] }))
}

export const clocks = [
  { value: '24', label: '14:05' },
  { value: '12', label: '2:05 PM' },
]
