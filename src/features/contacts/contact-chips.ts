import { contactFields, contactFilters } from '#domain/fields/contacts.ts'
import { fieldChips } from '#features/fields/index.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { ContactUrlState } from './contact-view.ts'

/** A chip for each active filter, which removes it. */
export function filterChips(
  state: ContactUrlState,
  onChange: (changes: Partial<ContactUrlState>) => void,
  names: { companyName: string | undefined; collectionName: string | undefined },
): FilterChip[] {
  return fieldChips({
    fields: contactFields,
    filters: contactFilters,
    state,
    onChange,
    recordNames: {
      company: state.company === 'none' ? 'none' : names.companyName,
      collection: names.collectionName,
    },
  })
}
