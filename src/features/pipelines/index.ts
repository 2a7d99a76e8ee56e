import { openedPart } from '#ui/lazy-part.tsx'

export { pipelineChips } from './pipeline-chips.ts'
export { PipelineFilter } from './pipeline-filter.tsx'
export {
  knownClosingStage,
  knownStages,
  type Pipeline,
  readPipelines,
  type Stage,
  usePipelines,
} from './queries.ts'
/** Loaded when first opened. */
export const PipelinesDialog = openedPart(
  async () => (await import('./pipelines-dialog.tsx')).PipelinesDialog,
)
