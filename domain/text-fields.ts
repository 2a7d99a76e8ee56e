import { z } from 'zod'

/** A text that may be missing: stored trimmed, and null instead of empty, as the database does it. */
export function optionalText(label: string, max: number) {
  return z
    .string()
    .trim()
    .max(max, `${label} can have at most ${max.toLocaleString('en-US')} characters.`)
    .transform((value) => (value === '' ? null : value))
}

/** A text that must be there; spaces are nothing. */
export function requiredText(label: string, max: number) {
  return z
    .string()
    .trim()
    .min(1, `${label} is required.`)
    .max(max, `${label} can have at most ${max.toLocaleString('en-US')} characters.`)
}

/** An address of mail that may be missing. */
export function optionalEmail(label: string) {
  return optionalText(label, 320).refine(
    (value) => value === null || /^[^\s@]+@[^\s@]+$/.test(value),
    'Enter a valid email address, such as ada@example.com.',
  )
}
