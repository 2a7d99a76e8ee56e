import { z } from 'zod'
import { optionalText } from './text-fields.ts'

/** The kinds that the user can log; the app itself logs e-mails. */
export const noteKinds = ['note', 'call', 'meeting'] as const

export type NoteKind = (typeof noteKinds)[number]

const earliest = Date.UTC(1900, 0, 1)
const tooLate = Date.UTC(2201, 0, 1)

/** A call or a meeting of up to a day. */
const isLength = (text: string) =>
  /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1440

/** The form of a note, call or meeting. Only a note must have text. */
export const noteSchema = z
  .object({
    kind: z.enum(noteKinds),
    body: optionalText('The text', 50_000),
    outcome: optionalText('Outcome', 500),
    minutes: z
      .string()
      .trim()
      .refine((text) => text === '' || isLength(text), 'Enter a whole number between 1 and 1,440.')
      .transform((text) => (text === '' ? null : Number(text))),
    happened_at: z.iso
      .datetime({ offset: true, error: 'Enter a date and a time.' })
      .refine(
        (moment) => Date.parse(moment) >= earliest && Date.parse(moment) < tooLate,
        'Enter a date between 1900 and 2200.',
      ),
  })
  .refine(({ kind, body }) => kind !== 'note' || body !== null, {
    path: ['body'],
    error: 'Write something first.',
  })

export type NoteInput = z.input<typeof noteSchema>
export type NoteValues = z.output<typeof noteSchema>
