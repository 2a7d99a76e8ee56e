import { type ClosedOutcome, closedStages, noStage } from './deal.ts'
import { fold } from './fold.ts'

/** Other products' words for won and lost, folded. */
const outcomes: Record<ClosedOutcome, string> = {
  won: 'won gewonnen gagne gagnee ganado ganada vinto vinta ganho ganha vunnen vunnet wygrana wygrany wygrane 受注 成約',
  lost: 'lost verloren perdu perdue perdido perdida perso persa forlorad forlorat przegrana przegrany przegrane utracona 失注',
}

/** Words beside them that change nothing. */
const fillers = new Set(
  'closed close deal opportunity abgeschlossen geschlossen geschaft ferme fermee cloture conclu cerrado cerrada cierre negocio chiuso chiusa affare fechado fechada gesloten stangd stangt zamkniete zamknieta und et and'.split(
    ' ',
  ),
)

const words = new Map<string, ClosedOutcome>()
for (const outcome of ['won', 'lost'] as const) {
  for (const word of outcomes[outcome].split(' ')) words.set(fold(word), outcome)
}

/** `Closed-Won`, `closedwon` and `5. Closed Won (Sales Pipeline)` are won; `Won back` is no outcome. */
function outcomeIn(text: string): ClosedOutcome | null {
  // HubSpot adds the pipeline in parentheses, and many number their stages.
  const plain = fold(text).replace(/\([^)]*\)\s*$/, '')
  const reported = plain
    .replace(/^(closed|deal)(won|lost)$/, '$1 $2')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
  const [word = '', ...others] = reported
  return others.length > 0 ? null : (words.get(word) ?? null)
}

const openWords = new Set(
  'open offen ouvert ouverte abierto abierta aperto aperta aberto aberta oppen oppet otwarta otwarty otwarte'.split(
    ' ',
  ),
)

/** Whether a status says how a deal ended, or that it has not. */
export function isOutcomeWord(status: string): boolean {
  return outcomeIn(status) !== null || isOpenWord(status)
}

/** Whether a status says that a deal has not ended. */
export function isOpenWord(status: string): boolean {
  return openWords.has(fold(status.trim()))
}

/** The outcome of a stage by its name, as the database tells it. */
export function outcomeOfStage(stage: string): ClosedOutcome | null {
  const name = fold(stage.trim())
  const closed = (['won', 'lost'] as const).find((outcome) => fold(closedStages[outcome]) === name)
  return closed ?? null
}

/** The stage of that outcome. */
function closedStage(text: string): string | undefined {
  const outcome = outcomeIn(text)
  return outcome ? closedStages[outcome] : undefined
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
  const reported = closedStage(status)
  const reached = isOwn ? stage : (closedStage(stage) ?? stage)
  if (reported) return { stage: reported, isOverruled: stage !== '' && reached !== reported }
  return { stage: reached, isOverruled: false }
}
