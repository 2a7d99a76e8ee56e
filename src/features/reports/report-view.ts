import { z } from 'zod/mini'
import type { ReportFilter } from '#domain/report.ts'
import { isSensibleDay } from '#domain/sensible-day.ts'

const day = z.optional(z.string().check(z.refine(isSensibleDay)))

/** What the address of the reports may hold. */
export const reportUrlSchema = z.object({
  /** Left out, it is today. */
  day,
  pipeline: z.optional(z.uuid()),
  stage: z._default(z.array(z.union([z.literal('none'), z.uuid()])).check(z.maxLength(50)), []),
  from: day,
  to: day,
})

export type ReportUrlState = z.output<typeof reportUrlSchema>

/** No filter. */
export const everything = {
  pipeline: undefined,
  stage: [],
  from: undefined,
  to: undefined,
} satisfies Partial<ReportUrlState>

/** The view of the list that the address describes. */
export function reportFilter({ pipeline, stage, from, to }: ReportUrlState): ReportFilter {
  return {
    ...(pipeline ? { pipeline } : {}),
    ...(stage.length > 0 ? { stage } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
}
