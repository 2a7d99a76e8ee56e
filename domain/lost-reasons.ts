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
