import { dealFields, dealFilters } from '#domain/fields/deals.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { FieldFilters, OwnFilters, type OwnFiltersProps } from '#features/fields/index.ts'
import { type Pipeline, PipelineFilter } from '#features/pipelines/index.ts'
import type { FilterNames } from './deal-chips.ts'
import { boardFilters, type DealUrlState } from './deal-view.ts'

type DealFiltersProps = {
  state: DealUrlState
  onChange: (changes: Partial<DealUrlState>) => void
  names: FilterNames
  pipelines: Pipeline[]
  ownFilter: OwnFiltersProps
}

/** The fields of the filter. The board has no filter for pipeline and stage. */
export function DealFilters(props: DealFiltersProps) {
  const { state, onChange, names, pipelines, ownFilter } = props
  const { company, contact } = state
  const field = { placeholder: 'Any', isInPopover: true, isFilter: true }
  return (
    <>
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
      <OwnFilters {...ownFilter} />
    </>
  )
}
