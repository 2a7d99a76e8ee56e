import { taskFields, taskFilters } from '#domain/fields/tasks.ts'
import { CompanySelect, useCompanyName } from '#features/companies/index.ts'
import { ContactSelect, useContactName } from '#features/contacts/index.ts'
import { DealSelect, useDealName } from '#features/deals/index.ts'
import { FieldFilters, fieldChips } from '#features/fields/index.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { TaskUrlState } from './task-view.ts'

type Change = (changes: Partial<TaskUrlState>) => void
type Names = ReturnType<typeof useLinkNames>

/** The names of the records in the address. */
export function useLinkNames({ contact, company, deal }: TaskUrlState) {
  return {
    contact: useContactName(contact),
    company: useCompanyName(company),
    deal: useDealName(deal),
  }
}

type TaskFiltersProps = { state: TaskUrlState; onChange: Change; linkNames: Names }

export function TaskFilters({ state, onChange, linkNames }: TaskFiltersProps) {
  const field = { placeholder: 'Any', isInPopover: true, isFilter: true }
  const chosen = (link: keyof Names) =>
    state[link] ? { id: state[link], name: linkNames[link] ?? '' } : null
  return (
    <FieldFilters
      fields={taskFields}
      filters={taskFilters}
      state={state}
      onChange={onChange}
      special={{
        contact: (
          <ContactSelect
            {...field}
            chosen={chosen('contact')}
            onChoose={(contact) => onChange({ contact: contact?.id })}
          />
        ),
        company: (
          <CompanySelect
            {...field}
            chosen={chosen('company')}
            onChoose={(company) => onChange({ company: company?.id })}
          />
        ),
        deal: (
          <DealSelect
            {...field}
            chosen={chosen('deal')}
            onChoose={(deal) => onChange({ deal: deal?.id })}
          />
        ),
      }}
    />
  )
}

/** A chip for each active filter, which removes it. */
export function filterChips(state: TaskUrlState, onChange: Change, linkNames: Names): FilterChip[] {
  return fieldChips({
    fields: taskFields,
    filters: taskFilters,
    state,
    onChange,
    recordNames: linkNames,
  })
}
