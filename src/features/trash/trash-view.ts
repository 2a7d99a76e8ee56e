import { z } from 'zod/mini'
import { recordKinds } from '#domain/record-kinds.ts'
import type { ListView } from '#lib/list-source.ts'

/** What can be in the trash, in the order of the filter. */
export const trashKinds = [
  ...recordKinds,
  'pipeline_stages',
  'saved_views',
  'email_templates',
  'fields',
  'forms',
  'form_submissions',
  'files',
] as const
export type TrashKind = (typeof trashKinds)[number]

/** What the address of the trash may hold. */
export const trashUrlSchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  kind: z._default(z.array(z.enum(trashKinds)).check(z.maxLength(trashKinds.length)), []),
})

export type TrashUrlState = z.output<typeof trashUrlSchema>

export type TrashView = ListView<{ search?: string; kind?: TrashKind[] }>

/** The view of the list that the address describes. */
export function trashView({ q, kind }: TrashUrlState): TrashView {
  return {
    filter: { ...(q ? { search: q } : {}), ...(kind.length > 0 ? { kind } : {}) },
    sort: 'deleted',
    descending: true,
  }
}
