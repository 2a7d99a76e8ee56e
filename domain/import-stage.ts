import { type ClosedOutcome, closedStages, noStage } from './deal.ts'

/** Other products' words for won and lost, letters only. */
const outcomes = new Map<string, ClosedOutcome>([
  ['won', 'won'],
  ['closedwon', 'won'],
  ['dealwon', 'won'],
  ['gewonnen', 'won'],
  ['lost', 'lost'],
  ['closedlost', 'lost'],
  ['deallost', 'lost'],
  ['verloren', 'lost'],
])

/** The stage of that outcome. */
function closedStage(text: string): string | undefined {
  const outcome = outcomes.get(letters(text))
  return outcome && closedStages[outcome]
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}

/** The stage of a deal: a status of won or lost overrides the stage in the file. */
export function stageOf(
  stage: string,
  status: string,
  isOwn: boolean,
): { stage: string; isOverruled: boolean } {
  if (letters(stage) === letters(noStage)) return stageOf('', status, isOwn)
  const said = closedStage(status)
  const reached = isOwn ? stage : (closedStage(stage) ?? stage)
  if (said) return { stage: said, isOverruled: stage !== '' && reached !== said }
  return { stage: reached, isOverruled: false }
}
