import { Group, Text } from '@mantine/core'
import { type Pipeline, PipelineFilter } from '#features/pipelines/index.ts'
import { DayField } from '#ui/day-field.tsx'
import type { ReportUrlState } from './report-view.ts'

type ReportFiltersProps = {
  state: ReportUrlState
  pipelines: Pipeline[]
  onChange: (changes: Partial<ReportUrlState>) => void
}

/** The fields of the filter. */
export function ReportFilters({ state, pipelines, onChange }: ReportFiltersProps) {
  const { from, to } = state
  return (
    <>
      <PipelineFilter {...state} pipelines={pipelines} onChange={onChange} />
      <Group grow gap="sm" align="flex-start">
        <DayField
          label="Period from"
          value={from}
          onChange={(day) => onChange({ from: day })}
          error={from && to && from > to ? 'Later than the end' : false}
        />
        <DayField label="Period to" value={to} onChange={(day) => onChange({ to: day })} />
      </Group>
      <Text size="xs" c="dimmed">
        Each figure uses its own date: created, closed, expected close or logged. Pipeline filters
        don’t apply to contacts, companies and activities.
      </Text>
    </>
  )
}
