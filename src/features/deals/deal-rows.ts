import { z } from 'zod/mini'
import { outcomes } from '#domain/deal.ts'
import { dealFields } from '#domain/fields/deals.ts'
import { ownValues } from '#domain/fields/own-values.ts'
import { storedRow } from '#domain/fields/row.ts'
import { nextTask } from '#domain/task.ts'
import { maybe } from '#lib/answers.ts'

/** A deal as it is stored. */
export const storedDeal = z.extend(storedRow(dealFields), {
  order: z.number(),
  closed_at: maybe,
  stage_since: maybe,
  custom: ownValues,
  /** What one unit of its currency is worth in the account's. */
  rate: z.nullable(z.number()),
})

export type StoredDeal = z.output<typeof storedDeal>

const contactNames = z.object({ first_name: maybe, last_name: maybe, email: maybe })

/** The names of the linked records of a deal, and its outcome. */
const dealNames = z.object({
  stage_name: maybe,
  outcome: z.enum(outcomes),
  company_name: maybe,
  contact: z.nullable(contactNames),
})

export type DealNames = z.output<typeof dealNames>

/** A deal as the list and the board show it: see the database's `deal_card`. */
export const dealCard = z.extend(storedDeal, {
  ...dealNames.shape,
  next_task: nextTask,
  stalls_at: maybe,
  /** Not said by what a device keeps from before it was known. */
  reply_waits: z.optional(z.boolean()),
  /** The number of the main contact; further contacts and roles: only the page of the deal has them. */
  main_phone: z.optional(z.nullable(z.object({ contact_id: z.string(), number: maybe }))),
  people: z.optional(
    z.array(z.object({ contact_id: z.string(), role: maybe, name: contactNames })),
  ),
})

export type Deal = z.output<typeof dealCard>
