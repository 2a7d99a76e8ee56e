import { z } from 'zod'
import { counted } from './counted.ts'
import { optionalText, requiredText } from './text-fields.ts'

/** Figures hang on these two, so they keep their names. */
export const wonStage = 'Closed Won'
export const lostStage = 'Closed Lost'

const stageColors: Record<string, string> = {
  Lead: 'blue',
  Qualified: 'violet',
  Proposal: 'orange',
  Negotiation: 'yellow',
  [wonStage]: 'green',
  [lostStage]: 'red',
}

/** The hue of a stage. */
export function stageColor(stageName: string | null): string {
  return stageColors[stageName ?? ''] ?? 'gray'
}

/** What the screen shows where a deal has no stage; no stage of a pipeline. */
export const noStage = 'No Stage'

/** What a deal's stage is called, also where it has none. */
export function stageLabel(stageName: string | null): string {
  return stageName ?? noStage
}

/** A deal without a stage is active. */
export function isClosed(stageName: string | null): boolean {
  return stageName === wonStage || stageName === lostStage
}

/** A deal that should have been closed by now; `today` is the day on the user's calendar. */
export function isPastClose(
  deal: { expected_close_date: string | null; stage_name: string | null },
  today: string,
): boolean {
  const { expected_close_date, stage_name } = deal
  return expected_close_date !== null && expected_close_date < today && !isClosed(stage_name)
}

type Needy = { has_next: boolean; is_stale: boolean; touched_at: string }

/** Why an open deal needs a push: 'No next step', 'Untouched for 21 days', or both. */
export function attentionReason({ has_next, is_stale, touched_at }: Needy, now: number): string {
  const days = Math.floor((now - Date.parse(touched_at)) / 86_400_000)
  const reasons = [
    ...(has_next ? [] : ['no next step']),
    ...(is_stale ? [`untouched for ${counted(days, 'day')}`] : []),
  ].join(', ')
  return reasons.charAt(0).toUpperCase() + reasons.slice(1)
}

const largestValue = 999_999_999_999.99

/** What a value field may hold; empty becomes 0. */
const dealValue = z
  .union([z.string(), z.number()])
  .transform((typed) => (String(typed).trim() === '' ? 0 : Number(typed)))
  .pipe(
    z
      .number('Value must be a number.')
      .min(0, 'Value cannot be less than 0.')
      .max(largestValue, 'Value can be at most 999,999,999,999.99.')
      .refine((value) => Number(value.toFixed(2)) === value, {
        error: 'Value can have at most two decimals.',
      }),
  )

/** A day that may be missing. */
export const closeDate = z
  .string()
  .trim()
  .refine((day) => day === '' || isSensibleDay(day), {
    error: 'Expected Close Date must be a day between 1900 and 2200.',
  })
  .transform((day) => (day === '' ? null : day))

function isSensibleDay(day: string): boolean {
  return z.iso.date().safeParse(day).success && day >= '1900-01-01' && day <= '2200-12-31'
}

/** What the deal form may hold. */
export const dealSchema = z.object({
  name: requiredText('Deal Name', 200),
  value: dealValue,
  expected_close_date: closeDate,
  pipeline_id: z.uuid().nullable(),
  stage_id: z.uuid().nullable(),
  company_id: z.uuid().nullable(),
  contact_id: z.uuid().nullable(),
})

export type DealInput = z.input<typeof dealSchema>

/** A form for a deal that is not there yet. */
export const newDeal: DealInput = {
  name: '',
  value: '',
  expected_close_date: '',
  pipeline_id: null,
  stage_id: null,
  company_id: null,
  contact_id: null,
}

/** Why a deal was lost, for those who want to say it. */
export const lostReasonSchema = z.object({ reason: optionalText('Reason', 2000) })

/** Which deals are meant, as the database's functions for pages, totals, board and bulk writes take it. */
export type DealFilter = {
  search?: string
  /** Only these. */
  ids?: string[]
  /** All but these. */
  except?: string[]
  pipeline?: string
  /** Ids, and 'none' for those without a stage. */
  stage?: string[]
  company?: string
  contact?: string
  value_from?: number
  value_to?: number
  /** First and last day, `YYYY-MM-DD`. */
  close_from?: string
  close_to?: string
}
