import { Group, NumberInput } from '@mantine/core'
import { shownDate } from '#domain/dates.ts'
import { largestAmount } from '#domain/fields/checks.ts'
import { shownMoney } from '#domain/money.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { type Pipeline, PipelineFilter, pipelineChips } from '#features/pipelines/index.ts'
import { DayField } from '#ui/day-field.tsx'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { DealUrlState } from './deal-view.ts'

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
  return (
    <>
      {state.view === 'list' && (
        <PipelineFilter {...state} pipelines={pipelines} onChange={onChange} />
      )}
      <CompanySelect
        placeholder="Any"
        isInPopover
        isFilter
        chosen={company ? { id: company, name: names.company ?? '' } : null}
        onChoose={(chosen) => onChange({ company: chosen?.id })}
      />
      <ContactSelect
        placeholder="Any"
        isInPopover
        isFilter
        chosen={contact ? { id: contact, name: names.contact ?? '' } : null}
        onChoose={(chosen) => onChange({ contact: chosen?.id })}
      />
      <Group grow gap="sm" align="flex-start">
        <Amount label="Value from" value={state.min} onChange={(min) => onChange({ min })} />
        <Amount label="Value to" value={state.max} onChange={(max) => onChange({ max })} />
      </Group>
      <Group grow gap="sm" align="flex-start">
        <DayField
          label="Closes from"
          value={state.from}
          onChange={(from) => onChange({ from })}
          error={state.from && state.to && state.from > state.to ? 'After the last day' : false}
        />
        <DayField label="Closes to" value={state.to} onChange={(to) => onChange({ to })} />
      </Group>
    </>
  )
}

type AmountProps = {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function Amount({ label, value, onChange }: AmountProps) {
  return (
    <NumberInput
      label={label}
      leftSection="$"
      min={0}
      max={largestAmount}
      clampBehavior="strict"
      decimalScale={2}
      thousandSeparator=","
      hideControls
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
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
  const { view, company, contact, min, max, from, to } = state
  const chip = (key: keyof DealUrlState, label: string, value: string | undefined) =>
    state[key] !== undefined && {
      key,
      label,
      value: value ?? '…',
      onRemove: () => onChange({ [key]: undefined }),
    }
  const chips: (FilterChip | false)[] = [
    ...(view === 'list' ? pipelineChips({ ...state, pipelines, onChange }) : []),
    chip('company', 'Company', company && names.company),
    chip('contact', 'Contact', contact && names.contact),
    chip('min', 'Value from', min === undefined ? undefined : shownMoney(min)),
    chip('max', 'Value to', max === undefined ? undefined : shownMoney(max)),
    chip('from', 'Closes from', from && shownDate(from)),
    chip('to', 'Closes to', to && shownDate(to)),
  ]
  return chips.filter((each) => each !== false)
}
