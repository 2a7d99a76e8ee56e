import { lostStage, noStage, wonStage } from './deal.ts'

/** Other products' words for won and lost, letters only. */
const outcomes = new Map([
  ['won', wonStage],
  ['closedwon', wonStage],
  ['dealwon', wonStage],
  ['gewonnen', wonStage],
  ['lost', lostStage],
  ['closedlost', lostStage],
  ['deallost', lostStage],
  ['verloren', lostStage],
])

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
  const outcome = outcomes.get(letters(status))
  const reached = isOwn ? stage : (outcomes.get(letters(stage)) ?? stage)
  if (outcome) return { stage: outcome, isOverruled: stage !== '' && reached !== outcome }
  return { stage: reached, isOverruled: false }
}
