import { Group, MultiSelect, NumberInput, Select } from '@mantine/core'
import { shownMoney } from '#domain/money.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import type { Pipeline } from '#features/pipelines/index.ts'
import { DayField } from '#ui/day-field.tsx'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { DealUrlState } from './deal-view.ts'

type Change = (changes: Partial<DealUrlState>) => void

/** What the records in the address are called, as soon as it is known. */
type FilterNames = { company: string | undefined; contact: string | undefined }

type DealFiltersProps = {
  state: DealUrlState
  onChange: Change
  names: FilterNames
  pipelines: Pipeline[]
}

const inPopover = { withinPortal: false, shadow: 'md' } as const

/** The fields of the filter. The board shows one pipeline with all its stages, and asks for neither. */
export function DealFilters({ state, onChange, names, pipelines }: DealFiltersProps) {
  const { company, contact } = state
  return (
    <>
      {state.view === 'list' && (
        <>
          <Select
            label="Pipeline"
            placeholder="Any"
            clearable
            clearButtonProps={{ 'aria-label': 'Clear Pipeline' }}
            data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
            value={state.pipeline ?? null}
            onChange={(id) => onChange({ pipeline: id ?? undefined, stage: [] })}
            comboboxProps={inPopover}
          />
          <MultiSelect
            label="Stage"
            placeholder={state.stage.length > 0 ? '' : 'Any'}
            data={stageChoices(pipelines, state.pipeline)}
            value={state.stage}
            onChange={(stage) => onChange({ stage })}
            hidePickedOptions
            comboboxProps={inPopover}
          />
        </>
      )}
      <CompanySelect
        // The name of a company in the address is known a moment later.
        key={`company ${names.company}`}
        placeholder="Any"
        isInPopover
        chosen={company ? { id: company, name: names.company ?? '' } : null}
        onChoose={(chosen) => onChange({ company: chosen?.id })}
      />
      <ContactSelect
        key={`contact ${names.contact}`}
        placeholder="Any"
        isInPopover
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
      max={999_999_999_999.99}
      clampBehavior="strict"
      decimalScale={2}
      thousandSeparator=","
      hideControls
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
    />
  )
}

const withoutStage = { value: 'none', label: 'No Stage' }

/** The stages of one pipeline, or of all, each under its pipeline's name. */
function stageChoices(pipelines: Pipeline[], chosen: string | undefined) {
  const shown = pipelines.filter(({ id }) => !chosen || id === chosen)
  const groups = shown.map(({ name, stages }) => ({
    group: name,
    items: stages.map((stage) => ({ value: stage.id, label: stage.name })),
  }))
  return [{ group: 'Without', items: [withoutStage] }, ...groups]
}

/** What is filtered by, each with its way back. */
export function filterChips(
  state: DealUrlState,
  onChange: Change,
  names: FilterNames,
  pipelines: Pipeline[],
): FilterChip[] {
  const { view, pipeline, stage, company, contact, min, max, from, to } = state
  const stages = new Map(pipelines.flatMap((each) => each.stages).map(({ id, name }) => [id, name]))
  const chip = (key: keyof DealUrlState, label: string, value: string | undefined) =>
    state[key] !== undefined && {
      key,
      label,
      value: value ?? '…',
      onRemove: () => onChange({ [key]: undefined }),
    }
  const inList = view === 'list'
  const pipelineName = pipelines.find(({ id }) => id === pipeline)?.name
  const chips: (FilterChip | false)[] = [
    inList && chip('pipeline', 'Pipeline', pipelineName),
    ...(inList ? stage : []).map((each) => ({
      key: `stage ${each}`,
      label: 'Stage',
      value: each === 'none' ? withoutStage.label : (stages.get(each) ?? 'Deleted stage'),
      onRemove: () => onChange({ stage: stage.filter((other) => other !== each) }),
    })),
    chip('company', 'Company', company && names.company),
    chip('contact', 'Contact', contact && names.contact),
    chip('min', 'Value from', min === undefined ? undefined : shownMoney(min)),
    chip('max', 'Value to', max === undefined ? undefined : shownMoney(max)),
    chip('from', 'Closes from', from),
    chip('to', 'Closes to', to),
  ]
  return chips.filter((each) => each !== false)
}
