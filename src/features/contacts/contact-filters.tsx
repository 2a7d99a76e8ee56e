import { Group, MultiSelect, Select } from '@mantine/core'
import { shownDate } from '#domain/dates.ts'
import { leadStatuses } from '#domain/fields/contacts.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { DayField } from '#ui/day-field.tsx'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { ContactUrlState } from './contact-view.ts'

type Change = (changes: Partial<ContactUrlState>) => void

type ContactFiltersProps = {
  state: ContactUrlState
  onChange: Change
  companyName: string | undefined
  collections: { id: string; name: string }[]
}

const withoutCompany = { id: 'none', label: 'Without company' }
const inPopover = { withinPortal: false, shadow: 'md' } as const

export function ContactFilters({ state, onChange, companyName, collections }: ContactFiltersProps) {
  const { company } = state
  const name = company === 'none' ? withoutCompany.label : (companyName ?? '')
  return (
    <>
      <MultiSelect
        label="Lead Status"
        placeholder={state.status.length > 0 ? '' : 'Any'}
        data={leadStatuses}
        value={state.status}
        onChange={(values) =>
          onChange({ status: leadStatuses.filter((status) => values.includes(status)) })
        }
        hidePickedOptions
        comboboxProps={inPopover}
      />
      <CompanySelect
        placeholder="Any"
        isInPopover
        isFilter
        fixed={[withoutCompany]}
        chosen={company ? { id: company, name } : null}
        onChoose={(chosen) => onChange({ company: chosen?.id })}
      />
      <Select
        label="Collection"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Collection' }}
        searchable
        selectFirstOptionOnChange
        nothingFoundMessage="Nothing found"
        data={collections.map(({ id, name: label }) => ({ value: id, label }))}
        value={state.collection ?? null}
        onChange={(id) => onChange({ collection: id ?? undefined })}
        comboboxProps={inPopover}
      />
      <Group grow gap="sm">
        <YesOrNo label="Email" value={state.email} onChange={(email) => onChange({ email })} />
        <YesOrNo label="Phone" value={state.phone} onChange={(phone) => onChange({ phone })} />
      </Group>
      <Group grow gap="sm" align="flex-start">
        <DayField
          label="Created from"
          value={state.from}
          onChange={(from) => onChange({ from })}
          error={isBackwards(state) && 'After the last day'}
        />
        <DayField label="Created to" value={state.to} onChange={(to) => onChange({ to })} />
      </Group>
    </>
  )
}

type YesOrNoProps = {
  label: string
  value: 'yes' | 'no' | undefined
  onChange: (value: 'yes' | 'no' | undefined) => void
}

function YesOrNo({ label, value, onChange }: YesOrNoProps) {
  return (
    <Select
      label={label}
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      data={[
        { value: 'yes', label: `Has ${label.toLowerCase()}` },
        { value: 'no', label: `No ${label.toLowerCase()}` },
      ]}
      value={value ?? null}
      onChange={(next) => onChange(next === 'yes' || next === 'no' ? next : undefined)}
      comboboxProps={inPopover}
    />
  )
}

function isBackwards({ from, to }: ContactUrlState): boolean {
  return Boolean(from && to && from > to)
}

/** A chip for each active filter, which removes it. */
export function filterChips(
  { status, company, collection, email, phone, from, to }: ContactUrlState,
  onChange: Change,
  names: { companyName: string | undefined; collectionName: string | undefined },
): FilterChip[] {
  const chips: (FilterChip | false)[] = [
    ...status.map((each) => ({
      key: `status ${each}`,
      label: 'Lead Status',
      value: each,
      onRemove: () => onChange({ status: status.filter((other) => other !== each) }),
    })),
    company !== undefined && {
      key: 'company',
      label: 'Company',
      value: company === 'none' ? 'none' : (names.companyName ?? '…'),
      onRemove: () => onChange({ company: undefined }),
    },
    collection !== undefined && {
      key: 'collection',
      label: 'Collection',
      value: names.collectionName ?? '…',
      onRemove: () => onChange({ collection: undefined }),
    },
    email !== undefined && {
      key: 'email',
      label: 'Email',
      value: email,
      onRemove: () => onChange({ email: undefined }),
    },
    phone !== undefined && {
      key: 'phone',
      label: 'Phone',
      value: phone,
      onRemove: () => onChange({ phone: undefined }),
    },
    from !== undefined && {
      key: 'from',
      label: 'Created from',
      value: shownDate(from),
      onRemove: () => onChange({ from: undefined }),
    },
    to !== undefined && {
      key: 'to',
      label: 'Created to',
      value: shownDate(to),
      onRemove: () => onChange({ to: undefined }),
    },
  ]
  return chips.filter((chip) => chip !== false)
}
