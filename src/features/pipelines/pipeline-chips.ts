import { noStage } from '#domain/deal.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { Pipeline } from './queries.ts'

/** Which pipeline, and which of its stages: ids, and 'none' for deals without a stage. */
type PipelineChoice = { pipeline?: string | undefined; stage: string[] }

export type PipelineFilterProps = PipelineChoice & {
  pipelines: Pipeline[]
  onChange: (choice: PipelineChoice) => void
}

export const withoutStage = { value: 'none', label: noStage }

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
