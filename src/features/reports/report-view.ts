import { z } from 'zod'
import { isSensibleDay } from '#domain/fields/checks.ts'
import type { ReportFilter } from '#domain/report.ts'

const day = z.string().refine(isSensibleDay)

/** What the address of the reports may hold. */
export const reportUrlSchema = z.object({
  /** Left out, it is today. */
  day: day.optional(),
  pipeline: z.uuid().optional(),
  stage: z
    .array(z.union([z.literal('none'), z.uuid()]))
    .max(50)
    .default([]),
  from: day.optional(),
  to: day.optional(),
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
