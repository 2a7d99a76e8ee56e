import { z } from 'zod'
import { dealFields } from './fields/deals.ts'
import { optionalText, requiredText } from './text-fields.ts'

const most = 50

/** A reason for the list, which must not be there already; `own` is the place of the one that is renamed. */
export function reasonSchema(reasons: string[], own?: number) {
  const others = reasons.filter((_, index) => index !== own).map((each) => each.toLowerCase())
  return z.object({
    reason: requiredText('Reason', 200)
      .refine(
        (typed) => !others.includes(typed.toLowerCase()),
        'This reason is already in the list.',
      )
      .refine(() => others.length < most, `You can have up to ${most} reasons.`),
  })
}

/** The optional reason of a loss. */
export const lostReasonSchema = z.object({
  reason: optionalText('Reason', dealFields.lost_reason.max),
})

/**
 * The text after a suggestion was pressed: what is typed stays, and the suggestion comes before it, in the place of
 * another suggestion or of its own beginning. Pressed again, it is taken out.
 */
export function withReason(typed: string, reason: string, reasons: string[]): string {
  if (typed === reason) return ''
  const [first = '', ...rest] = typed.split('\n')
  const isBegun = reason.toLowerCase().startsWith(first.trim().toLowerCase())
  const own = isBegun || reasons.includes(first) ? rest : [first, ...rest]
  return [reason, ...own].join('\n').trim()
}
