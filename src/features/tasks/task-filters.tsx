import { Group, MultiSelect } from '@mantine/core'
import { shownDate } from '#domain/dates.ts'
import { priorities, priorityNames } from '#domain/task.ts'
import { CompanySelect, useCompanyName } from '#features/companies/index.ts'
import { ContactSelect, useContactName } from '#features/contacts/index.ts'
import { DealSelect, useDealName } from '#features/deals/index.ts'
import { DayField } from '#ui/day-field.tsx'
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
    <>
      <MultiSelect
        label="Priority"
        placeholder={state.priority.length > 0 ? '' : 'Any'}
        data={priorities.map((value) => ({ value, label: priorityNames[value] }))}
        value={state.priority}
        onChange={(values) =>
          onChange({ priority: priorities.filter((priority) => values.includes(priority)) })
        }
        hidePickedOptions
        comboboxProps={{ withinPortal: false, shadow: 'md' }}
      />
      <ContactSelect
        {...field}
        chosen={chosen('contact')}
        onChoose={(contact) => onChange({ contact: contact?.id })}
      />
      <CompanySelect
        {...field}
        chosen={chosen('company')}
        onChoose={(company) => onChange({ company: company?.id })}
      />
      <DealSelect
        {...field}
        chosen={chosen('deal')}
        onChoose={(deal) => onChange({ deal: deal?.id })}
      />
      <Group grow gap="sm" align="flex-start">
        <DayField
          label="Due from"
          value={state.from}
          onChange={(from) => onChange({ from })}
          error={Boolean(state.from && state.to && state.from > state.to) && 'After the last day'}
        />
        <DayField label="Due to" value={state.to} onChange={(to) => onChange({ to })} />
      </Group>
    </>
  )
}

/** A chip for each active filter, which removes it. */
export function filterChips(state: TaskUrlState, onChange: Change, linkNames: Names): FilterChip[] {
  const chips: (FilterChip | false)[] = [
    ...state.priority.map((each) => ({
      key: `priority ${each}`,
      label: 'Priority',
      value: priorityNames[each],
      onRemove: () => onChange({ priority: state.priority.filter((other) => other !== each) }),
    })),
    ...(['contact', 'company', 'deal'] as const).map((link) =>
      state[link] === undefined
        ? (false as const)
        : {
            key: link,
            label: link.charAt(0).toUpperCase() + link.slice(1),
            value: linkNames[link] ?? '…',
            onRemove: () => onChange({ [link]: undefined }),
          },
    ),
    state.from !== undefined && {
      key: 'from',
      label: 'Due from',
      value: shownDate(state.from),
      onRemove: () => onChange({ from: undefined }),
    },
    state.to !== undefined && {
      key: 'to',
      label: 'Due to',
      value: shownDate(state.to),
      onRemove: () => onChange({ to: undefined }),
    },
  ]
  return chips.filter((chip) => chip !== false)
}
