import { z } from 'zod'
import { dayEnd } from './local-time.ts'
import { isSensibleDay } from './sensible-day.ts'
import { requiredText } from './text-fields.ts'

export const scopes = ['read', 'propose', 'write'] as const

export type Scope = (typeof scopes)[number]

/** What a token may do, in the words of its form. */
export const scopeWords: Record<Scope, { name: string; about: string }> = {
  read: { name: 'Read', about: 'Can view your records, not change them.' },
  propose: {
    name: 'Read and propose',
    about: 'Suggests changes. Nothing is saved until you approve it.',
  },
  write: {
    name: 'Read and write',
    about: 'Saves changes at once. You can undo each of them.',
  },
}

/** The form of a token. Its last day ends where the user is. */
export function tokenSchema({ now, timeZone }: { now: number; timeZone: string }) {
  return z.object({
    name: requiredText('Name', 60),
    scope: z.enum(scopes),
    ends: z
      .string()
      .refine((day) => day === '' || isSensibleDay(day), 'Enter a day.')
      .transform((day) => (day === '' ? null : dayEnd(day, timeZone)))
      .refine((end) => end === null || Date.parse(end) > now, 'Choose a later day.'),
  })
}

export type TokenInput = z.input<ReturnType<typeof tokenSchema>>
