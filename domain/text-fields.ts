import { z } from 'zod'
import { shownNumber } from './figures.ts'

/** An optional text: trimmed, and null when empty, as in the database. */
export function optionalText(label: string, max: number) {
  return z
    .string()
    .trim()
    .max(max, `${label} can have at most ${shownNumber(max)} characters.`)
    .transform((value) => (value === '' ? null : value))
}

/** A required text; spaces count as empty. */
export function requiredText(label: string, max: number) {
  return z
    .string()
    .trim()
    .min(1, `${label} is required.`)
    .max(max, `${label} can have at most ${shownNumber(max)} characters.`)
}

/** An optional e-mail address. */
export function optionalEmail(label: string) {
  return optionalText(label, 320).refine(
    (value) => value === null || /^[^\s@]+@[^\s@]+$/.test(value),
    'Enter a valid email address, such as ada@example.com.',
  )
}
