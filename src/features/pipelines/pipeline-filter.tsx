import { MultiSelect, Select } from '@mantine/core'
import { type PipelineFilterProps, withoutStage } from './pipeline-chips.ts'
import type { Pipeline } from './queries.ts'

const inPopover = { withinPortal: false, shadow: 'md' } as const

/** The fields of a filter for a pipeline and its stages. */
export function PipelineFilter({ pipeline, stage, pipelines, onChange }: PipelineFilterProps) {
  return (
    <>
      <Select
        label="Pipeline"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Pipeline' }}
        data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
        value={pipeline ?? null}
        onChange={(id) => onChange({ pipeline: id ?? undefined, stage: [] })}
        comboboxProps={inPopover}
      />
      <MultiSelect
        label="Stage"
        placeholder={stage.length > 0 ? '' : 'Any'}
        data={stageChoices(pipelines, pipeline)}
        value={stage}
        onChange={(chosen) => onChange({ pipeline, stage: chosen })}
        hidePickedOptions
        comboboxProps={inPopover}
      />
    </>
  )
}

/** The stages of one pipeline, or of all, each under its pipeline's name. */
function stageChoices(pipelines: Pipeline[], chosen: string | undefined) {
  const shown = pipelines.filter(({ id }) => !chosen || id === chosen)
  const groups = shown.map(({ name, stages }) => ({
    group: name,
    items: stages.map((stage) => ({ value: stage.id, label: stage.name })),
  }))
  return [{ group: 'Without', items: [withoutStage] }, ...groups]
}
