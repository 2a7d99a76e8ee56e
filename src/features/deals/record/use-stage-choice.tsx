import { useState } from 'react'
import type { Stage } from '#features/pipelines/index.ts'
import { chosenDeal } from '../chosen-deal.ts'
import { useCloseDeals } from '../closing/queries.ts'
import { LostDialog } from '../lost-dialog-part.ts'
import type { Deal } from '../queries.ts'
import { useMoveToStage } from './queries.ts'

/**
 * Another stage for a deal, wherever on its page it is chosen: one that closes it means the same as the
 * button, so a loss asks for its reason. `question` is to be shown.
 */
export function useStageChoice(deal: Deal) {
  const move = useMoveToStage()
  const win = useCloseDeals('won')
  const [isLosing, setIsLosing] = useState(false)

  // The mutation reports a failure and rolls back.
  const markAsWon = () => win(chosenDeal(deal)).catch(() => {})
  const markAsLost = () => setIsLosing(true)

  function choose(stage: Pick<Stage, 'id' | 'name' | 'outcome'> | null): void {
    if (stage?.outcome === 'won') markAsWon()
    else if (stage?.outcome === 'lost') markAsLost()
    else move({ seen: deal, stage }).catch(() => {})
  }

  return {
    choose,
    markAsWon,
    markAsLost,
    question: isLosing && (
      <LostDialog chosen={chosenDeal(deal)} about={deal.name} onClose={() => setIsLosing(false)} />
    ),
  }
}
