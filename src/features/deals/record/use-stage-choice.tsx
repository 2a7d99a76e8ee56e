import { useState } from 'react'
import { lostStage, wonStage } from '#domain/deal.ts'
import { chosenDeal } from '../deal-menu.tsx'
import { LostDialog } from '../lost-dialog.tsx'
import { type Deal, useCloseDeals } from '../queries.ts'
import { useMoveToStage } from './queries.ts'

/**
 * Changes the stage of a deal from anywhere on its page. Closed Won and Closed Lost do the same as the buttons, so a
 * loss asks for its reason; the page must render `question`.
 */
export function useStageChoice(deal: Deal) {
  const move = useMoveToStage()
  const win = useCloseDeals('won')
  const [isLosing, setIsLosing] = useState(false)

  // The mutation reports a failure and rolls back.
  const markAsWon = () => win(chosenDeal(deal)).catch(() => {})
  const markAsLost = () => setIsLosing(true)

  function choose(stage: { id: string; name: string } | null): void {
    if (stage?.name === wonStage) markAsWon()
    else if (stage?.name === lostStage) markAsLost()
    else move({ seen: deal, stage }).catch(() => {})
  }

  return {
    choose,
    markAsWon,
    markAsLost,
    question: isLosing && (
      <LostDialog chosen={chosenDeal(deal)} onClose={() => setIsLosing(false)} />
    ),
  }
}
