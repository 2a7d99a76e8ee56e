import { z } from 'zod'
import { shownNumber } from './figures.ts'
import { nameField } from './name.ts'

function text(label: string, max: number) {
  return z.string().max(max, `${label} can have at most ${shownNumber(max)} characters.`)
}

/** A message, saved as a template or not. */
export const messageSchema = z.object({
  subject: text('Subject', 1000),
  body: text('Message', 50_000),
})

export const emailTemplateSchema = messageSchema.extend({ name: nameField })

export type Message = z.output<typeof messageSchema>
