import { taskFields, taskFilters } from '#domain/fields/tasks.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { DealSelect } from '#features/deals/index.ts'
import { FieldFilters } from '#features/fields/index.ts'
import type { LinkNames } from './task-chips.ts'
import type { TaskUrlState } from './task-view.ts'

type TaskFiltersProps = {
  state: TaskUrlState
  onChange: (changes: Partial<TaskUrlState>) => void
  linkNames: LinkNames
}

export function TaskFilters({ state, onChange, linkNames }: TaskFiltersProps) {
  const field = { placeholder: 'Any', isInPopover: true, isFilter: true }
  const chosen = (link: keyof LinkNames) =>
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
