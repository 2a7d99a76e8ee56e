import { Select } from '@mantine/core'
import type { Pipeline } from '#features/pipelines/index.ts'

type PipelineChoiceProps = {
  pipelines: Pipeline[]
  chosen: string | null
  onChoose: (id: string | null) => void
}

/** Which pipeline the board shows. */
export function PipelineChoice({ pipelines, chosen, onChoose }: PipelineChoiceProps) {
  return (
    <Select
      aria-label="Pipeline"
      // Shown while the pipelines load, or could not be read.
      placeholder="Pipeline"
      allowDeselect={false}
      data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen}
      onChange={onChoose}
    />
  )
}
