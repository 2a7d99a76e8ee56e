import { z } from 'zod'
import { lostStage, wonStage } from './deal.ts'
import { requiredText } from './text-fields.ts'

/** A stage as the form of a pipeline holds it. */
export type StageInput = { id: string; name: string; win_probability: number | string }

/** Won and lost keep their names and are certain, because figures hang on them. */
export function isFixedStage(name: string): boolean {
  return name === wonStage || name === lostStage
}

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

/** The stages of a pipeline: at least one, and no name twice. */
export const stagesSchema = z.object({
  stages: z
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
          message: 'There is a stage with this name already.',
        })
      })
    }),
})

/** The stages with one of them a place up or down. */
export function withStageMoved<Stage>(stages: Stage[], from: number, to: number): Stage[] {
  const moved = [...stages]
  const [stage] = moved.splice(from, 1)
  if (stage !== undefined) moved.splice(to, 0, stage)
  return moved
}
