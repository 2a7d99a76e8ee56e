import { z } from 'zod'
import { counted } from './counted.ts'
import { requiredText } from './text-fields.ts'

/** A stage in the form of a pipeline. */
export type StageInput = { id: string; name: string; win_probability: number | string }

/** The win probability of a new stage. The database has the same default. */
export const usualProbability = 50

const winProbability = z
  .union([z.string(), z.number()])
  .transform((typed) => (String(typed).trim() === '' ? Number.NaN : Number(typed)))
  .pipe(
    z
      .number('Win probability must be a number.')
      .int('Win probability must be a whole number.')
      .min(0, 'Win probability must be between 0 and 100.')
      .max(100, 'Win probability must be between 0 and 100.'),
  )

/** A stored stage with its number of deals. */
type StoredStage = { id: string; name: string; deals: number }

/** Where the deals of a removed stage go: another stage, or 'none'. */
type Moves = Record<string, string>

/** The removed stages that still have deals. */
export function removedInUse<Stage extends StoredStage>(
  stored: Stage[],
  kept: { id: string }[],
): Stage[] {
  return stored.filter(({ id, deals }) => deals > 0 && !kept.some((stage) => stage.id === id))
}

/** The stages that deals can move to: stored ones that stay. */
export function moveTargets<Stage extends { id: string }>(
  stored: StoredStage[],
  kept: Stage[],
): Stage[] {
  return kept.filter(({ id }) => stored.some((stage) => stage.id === id))
}

/** Asks where the deals of a removed stage go. */
export function moveQuestion({ name, deals }: StoredStage): string {
  return deals === 1
    ? `Move the deal in ${name} to`
    : `Move the ${counted(deals, 'deal')} in ${name} to`
}

/** At least one, and no name twice. */
const stagesField = z
  .array(
    z.object({ id: z.uuid(), name: requiredText('Name', 200), win_probability: winProbability }),
  )
  .min(1, 'A pipeline needs at least one stage.')
  .check(({ value, issues }) => {
    value.forEach(({ name }, index) => {
      const first = value.findIndex((other) => other.name === name)
      if (first === index) return
      issues.push({
        code: 'custom',
        input: name,
        path: [index, 'name'],
        message: 'A stage with this name already exists.',
      })
    })
  })

/** The new stages of a pipeline, and where the deals of removed stages go. */
export function stagesSchema(stored: StoredStage[]) {
  return (
    z
      .object({ stages: stagesField, moves: z.record(z.string(), z.string()) })
      .check(({ value: { stages, moves }, issues }) => {
        const targets = moveTargets(stored, stages)
        for (const { id, deals } of removedInUse(stored, stages)) {
          if (moves[id] === 'none' || targets.some((target) => target.id === moves[id])) continue
          const message = deals === 1 ? 'Choose where the deal goes.' : 'Choose where the deals go.'
          issues.push({ code: 'custom', input: moves, path: ['moves', id], message })
        }
      })
      // Only moves that the user was asked about: deals that reach a removed stage meanwhile must not move silently.
      .transform(({ stages, moves }) => ({ stages, moves: askedMoves(stored, stages, moves) }))
  )
}

function askedMoves(stored: StoredStage[], kept: { id: string }[], moves: Moves): Moves {
  return Object.fromEntries(removedInUse(stored, kept).map(({ id }) => [id, moves[id] ?? 'none']))
}
