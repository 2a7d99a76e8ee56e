import { dealFields, dealFilters } from '#domain/fields/deals.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { FieldFilters, fieldChips } from '#features/fields/index.ts'
import { type Pipeline, PipelineFilter, pipelineChips } from '#features/pipelines/index.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import { boardFilters, type DealUrlState } from './deal-view.ts'

type Change = (changes: Partial<DealUrlState>) => void

/** The names of the records in the address; undefined until they are loaded. */
type FilterNames = { company: string | undefined; contact: string | undefined }

type DealFiltersProps = {
  state: DealUrlState
  onChange: Change
  names: FilterNames
  pipelines: Pipeline[]
}

/** The fields of the filter. The board has no filter for pipeline and stage. */
export function DealFilters({ state, onChange, names, pipelines }: DealFiltersProps) {
  const { company, contact } = state
  const field = { placeholder: 'Any', isInPopover: true, isFilter: true }
  return (
    <FieldFilters
      fields={dealFields}
      filters={state.view === 'list' ? dealFilters : boardFilters}
      state={state}
      onChange={onChange}
      special={{
        // Both together, because the stages are those of the pipeline.
        pipeline: <PipelineFilter {...state} pipelines={pipelines} onChange={onChange} />,
        stage: null,
        company: (
          <CompanySelect
            {...field}
            chosen={company ? { id: company, name: names.company ?? '' } : null}
            onChoose={(chosen) => onChange({ company: chosen?.id })}
          />
        ),
        contact: (
          <ContactSelect
            {...field}
            chosen={contact ? { id: contact, name: names.contact ?? '' } : null}
            onChoose={(chosen) => onChange({ contact: chosen?.id })}
          />
        ),
      }}
    />
  )
}

/** A chip for each active filter, which removes it. */
export function filterChips(
  state: DealUrlState,
  onChange: Change,
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
