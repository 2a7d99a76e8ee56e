import { dealFields } from '#domain/fields/deals.ts'
import { fieldChips } from '#features/fields/index.ts'
import { type Pipeline, pipelineChips } from '#features/pipelines/index.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import { boardFilters, type DealUrlState } from './deal-view.ts'

/** The names of the records in the address; undefined until they are loaded. */
export type FilterNames = { company: string | undefined; contact: string | undefined }

/** A chip for each active filter, which removes it. */
export function filterChips(
  state: DealUrlState,
  onChange: (changes: Partial<DealUrlState>) => void,
  names: FilterNames,
  pipelines: Pipeline[],
): FilterChip[] {
  return [
    ...(state.view === 'list' ? pipelineChips({ ...state, pipelines, onChange }) : []),
    ...fieldChips({
      fields: dealFields,
      filters: boardFilters,
      state,
      onChange,
      recordNames: names,
    }),
  ]
}
