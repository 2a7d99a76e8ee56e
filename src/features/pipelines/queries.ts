import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { outcomes } from '#domain/deal.ts'
import { batchOf, showUndoToast } from '#features/history/index.ts'
import { maybe } from '#lib/answers.ts'
import { notFound } from '#lib/errors.ts'
import { callForJson, callFunction, supabase } from '#lib/supabase.ts'
import { readAgain, readFromTheStart } from '#lib/use-list-write.ts'
import { showToast } from '#ui/toast.tsx'

const stage = z.object({
  id: z.string(),
  name: z.string(),
  order: z.number(),
  outcome: z.enum(outcomes),
  win_probability: z.number(),
  /** The number of deals in this stage. */
  deals: z.number(),
})

export type Stage = z.output<typeof stage>

/** A pipeline with its stages in order: see the database's `pipeline_list`. */
const pipeline = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  deals: z.number(),
  stages: z.array(stage),
})

export type Pipeline = z.output<typeof pipeline>

const pipelinesKey = ['pipelines'] as const

export function readPipelines(signal?: AbortSignal): Promise<Pipeline[]> {
  return callForJson('pipeline_list', {}, z.array(pipeline), signal)
}

/** All pipelines, the oldest first: the one that a new deal goes to. */
export function usePipelines() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: pipelinesKey,
    queryFn: ({ signal }) => readPipelines(signal),
    meta: { failed: 'Failed to fetch pipelines' },
  })
  return { pipelines: data ?? [], isLoading: isPending, error: data ? null : error, refetch }
}

/** The stages of all pipelines, as far as they have been read. */
export function knownStages(queryClient: QueryClient): Stage[] {
  const pipelines = queryClient.getQueryData<Pipeline[]>(pipelinesKey) ?? []
  return pipelines.flatMap(({ stages }) => stages)
}

/** The stage that closes the deals of a pipeline with this outcome, if it is known. */
export function knownClosingStage(
  queryClient: QueryClient,
  pipeline: string | null,
  wanted: Stage['outcome'],
): Stage | undefined {
  const pipelines = queryClient.getQueryData<Pipeline[]>(pipelinesKey) ?? []
  const stages = pipelines.find(({ id }) => id === pipeline)?.stages ?? []
  return stages.find(({ outcome }) => outcome === wanted)
}

type PipelineWrite<Input> = {
  /** Returns a function that finds the batch for Undo; null when nothing changed. */
  write: (input: Input) => Promise<(() => Promise<string>) | null>
  saved: string
  failed: string
}

/** A write to pipelines: reads the screen again, and the toast offers Undo. */
function usePipelineWrite<Input>({ write, saved, failed }: PipelineWrite<Input>) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: write,
    meta: { failed },
    onSettled: () => readAgain(queryClient),
  })
  /** Rejects after a failure, which has been reported by then. */
  return async (input: Input): Promise<void> => {
    const batch = await mutateAsync(input)
    if (!batch) return showToast({ message: saved })
    showUndoToast({ message: saved, batch, onUndone: () => readFromTheStart(queryClient) })
  }
}

export function useCreatePipeline() {
  return usePipelineWrite({
    async write(name: string) {
      const made = await callFunction('create_pipeline', { name })
      return () => batchOf(made)
    },
    saved: 'Pipeline created successfully with default stages',
    failed: 'Failed to create pipeline',
  })
}

export function useRenamePipeline() {
  return usePipelineWrite({
    async write({ id, name }: { id: string; name: string }) {
      const { data, error } = await supabase()
        .from('pipelines')
        .update({ name })
        .eq('id', id)
        .select('id, updated_at')
        .maybeSingle()
      if (error) throw error
      if (!data) throw notFound()
      return () => batchOf(data)
    },
    saved: 'Pipeline updated successfully',
    failed: 'Failed to update pipeline',
  })
}

const saved = z.object({ batch: maybe })

type StagesWrite = {
  pipeline: string
  /** The new stages, in order. */
  stages: { id: string; name: string; win_probability: number }[]
  /** Where the deals of a removed stage go: another stage, or 'none'. */
  moves: Record<string, string>
}

export function useSaveStages() {
  return usePipelineWrite({
    write: async (input: StagesWrite) => batchIn(await callForJson('save_stages', input, saved)),
    saved: 'Pipeline updated successfully',
    failed: 'Failed to update pipeline',
  })
}

export function useDeletePipeline() {
  return usePipelineWrite({
    async write({ id, moveTo }: { id: string; moveTo: string | null }) {
      const args = { id, ...(moveTo ? { move_to: moveTo } : {}) }
      return batchIn(await callForJson('delete_pipeline', args, saved))
    },
    saved: 'Pipeline deleted successfully',
    failed: 'Failed to delete pipeline',
  })
}

function batchIn({ batch }: z.output<typeof saved>) {
  return batch === null ? null : async () => batch
}
