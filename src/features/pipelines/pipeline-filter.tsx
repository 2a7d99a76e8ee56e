import { MultiSelect, Select } from '@mantine/core'
import { noStage } from '#domain/deal.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { Pipeline } from './queries.ts'

/** Which pipeline, and which of its stages: ids, and 'none' for deals without a stage. */
type PipelineChoice = { pipeline?: string | undefined; stage: string[] }

type PipelineFilterProps = PipelineChoice & {
  pipelines: Pipeline[]
  onChange: (choice: PipelineChoice) => void
}

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

const withoutStage = { value: 'none', label: noStage }

/** The stages of one pipeline, or of all, each under its pipeline's name. */
function stageChoices(pipelines: Pipeline[], chosen: string | undefined) {
  const shown = pipelines.filter(({ id }) => !chosen || id === chosen)
  const groups = shown.map(({ name, stages }) => ({
    group: name,
    items: stages.map((stage) => ({ value: stage.id, label: stage.name })),
  }))
  return [{ group: 'Without', items: [withoutStage] }, ...groups]
}

/** A chip for each active filter, which removes it. */
export function pipelineChips({
  pipeline,
  stage,
  pipelines,
  onChange,
}: PipelineFilterProps): FilterChip[] {
  const stages = new Map(pipelines.flatMap((each) => each.stages).map(({ id, name }) => [id, name]))
  // Until the pipelines are loaded, an unknown id may not be deleted.
  const gone = (what: string) => (pipelines.length > 0 ? `Deleted ${what}` : '…')
  const name = pipelines.find(({ id }) => id === pipeline)?.name
  const chips = stage.map((each) => ({
    key: `stage ${each}`,
    label: 'Stage',
    value: each === 'none' ? withoutStage.label : (stages.get(each) ?? gone('stage')),
    onRemove: () => onChange({ pipeline, stage: stage.filter((other) => other !== each) }),
  }))
  if (!pipeline) return chips
  return [
    {
      key: 'pipeline',
      label: 'Pipeline',
      value: name ?? gone('pipeline'),
      onRemove: () => onChange({ pipeline: undefined, stage }),
    },
    ...chips,
  ]
}
