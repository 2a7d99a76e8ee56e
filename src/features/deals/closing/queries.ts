import { useQueryClient } from '@tanstack/react-query'
import { counted } from '#domain/counted.ts'
import { type ClosedOutcome, closedStages, shownStage } from '#domain/deal.ts'
import { showUndoToast, useBulkWrite, writeMany } from '#features/history/index.ts'
import { knownClosingStage, type Stage } from '#features/pipelines/index.ts'
import { checked } from '#lib/answers.ts'
import { readFromTheStart, useOnceWrite } from '#lib/use-list-write.ts'
import { asListWrite, KeptWrite, type Shown } from '#lib/waiting-writes.ts'
import { showToast } from '#ui/toast.tsx'
import { type Deal, storedDeal } from '../deal-rows.ts'
import { celebrateWin } from '../on-won.ts'
import { countOpenTasks, offerToComplete } from '../open-tasks/queries.ts'
import { type ChosenDeals, dealList } from '../queries.ts'

export type Closing = ChosenDeals & {
  reason?: string | null
  /** A stage that closes deals, of whatever pipeline; without one, each deal stays in its own. */
  stage?: Pick<Stage, 'id' | 'name' | 'outcome'> | undefined
}

/** Marks deals as won or lost; a pipeline without a stage for it gets one. */
export function useCloseDeals(outcome: ClosedOutcome) {
  const closeOne = useCloseDeal(outcome)
  const close = useBulkWrite(dealList, {
    write: ({ filter, reason, stage }: Closing) =>
      stage
        ? writeMany('update_deals', {
            filter,
            changes: { stage_id: stage.id, ...(reason ? { lost_reason: reason } : {}) },
          })
        : writeMany('close_deals', { filter, outcome, ...(reason ? { reason } : {}) }),
    optimistic: ({ matches, stage }) => ({
      kind: 'change',
      matches,
      to: stage
        ? { stage_id: stage.id, ...shownStage(stage) }
        : { stage_name: closedStages[outcome], outcome },
    }),
    done: (count) => `${counted(count, 'deal')} marked as ${outcome}`,
    failed: 'Failed to update deal',
  })
  return async ({ deal, ...input }: Closing): Promise<void> => {
    if (!deal || input.stage) await close(input)
    else if (!(await closeOne({ deal, reason: input.reason }))) return
    if (outcome === 'won') celebrateWin()
  }
}

/** The same for one deal, now or later; answers false where it waits on the device. */
function useCloseDeal(outcome: ClosedOutcome) {
  const queryClient = useQueryClient()
  const stageOf = (deal: Deal) => knownClosingStage(queryClient, deal.pipeline_id, outcome)
  function shown(deal: Deal, stored: Partial<Deal>): Shown<Deal> {
    const stage = stageOf(deal)
    const to = stage
      ? { stage_id: stage.id, ...shownStage(stage) }
      : { stage_name: closedStages[outcome], outcome }
    return { kind: 'change', id: deal.id, to: { ...to, ...stored } }
  }
  const send = useOnceWrite(dealList, {
    once: ({ deal, reason }: { deal: Deal; reason: string | null | undefined }) => ({
      action: 'move deal',
      args: {
        id: deal.id,
        outcome,
        stage_id: stageOf(deal)?.id ?? null,
        ...(reason ? { lost_reason: reason } : {}),
      },
      seen: { stage_id: deal.stage_id },
      isLastWins: true,
      title: `${deal.name}: marked as ${outcome}`,
    }),
    shown: ({ deal }) => shown(deal, {}),
    answer: (row, { batch }) => ({ stored: checked(storedDeal, row), batch }),
    confirmed: ({ stored }, { deal }) => asListWrite(shown(deal, stored)),
    failed: 'Failed to update deal',
  })
  return async (input: { deal: Deal; reason: string | null | undefined }): Promise<boolean> => {
    // Counted meanwhile, so that the toast comes no later.
    const counting = countOpenTasks(input.deal.id)
    const sent = await send(input)
    if (sent instanceof KeptWrite) return false
    const message = `1 deal marked as ${outcome}`
    const { batch } = sent
    if (!batch) showToast({ message })
    else {
      const count = await counting
      const undo = { message, batch: async () => batch }
      if (count > 0) offerToComplete(input.deal.id, count, { ...undo, queryClient })
      else showUndoToast({ ...undo, onUndone: () => readFromTheStart(queryClient) })
    }
    return true
  }
}
