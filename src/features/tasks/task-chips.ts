import { taskFields, taskFilters } from '#domain/fields/tasks.ts'
import { useCompanyName } from '#features/companies/index.ts'
import { useContactName } from '#features/contacts/index.ts'
import { useDealName } from '#features/deals/index.ts'
import { fieldChips } from '#features/fields/index.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { TaskUrlState } from './task-view.ts'

export type LinkNames = ReturnType<typeof useLinkNames>

/** The names of the records in the address. */
export function useLinkNames({ contact, company, deal }: TaskUrlState) {
  return {
    contact: useContactName(contact),
    company: useCompanyName(company),
    deal: useDealName(deal),
  }
}

/** A chip for each active filter, which removes it. */
export function filterChips(
  state: TaskUrlState,
  onChange: (changes: Partial<TaskUrlState>) => void,
  linkNames: LinkNames,
): FilterChip[] {
  return fieldChips({
    fields: taskFields,
    filters: taskFilters,
    state,
    onChange,
    recordNames: linkNames,
  })
}
