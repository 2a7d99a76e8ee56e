import { lazy } from 'react'

export { PipelineFilter, pipelineChips } from './pipeline-filter.tsx'
export { type Pipeline, type Stage, usePipelines } from './queries.ts'
/** Its code comes when it is first opened. */
export const PipelinesDialog = lazy(async () => ({
  default: (await import('./pipelines-dialog.tsx')).PipelinesDialog,
}))
