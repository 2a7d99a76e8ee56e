import { z } from 'zod'
import { ownKindNames } from '#domain/fields/own.ts'
import { type Ask, InterfaceError } from './interface-function.ts'

/** What `about` always answers. */
export const about = z.looseObject({
  now: z.string(),
  time_zone: z.string(),
  week_starts_on: z.number(),
  pipelines: z.array(
    z.object({
      id: z.string(),
      stages: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
  fields: z.array(
    z.object({
      id: z.string(),
      record: z.string(),
      name: z.string(),
      kind: z.enum(ownKindNames),
      options: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
})

export type About = z.output<typeof about>

/** What a function must know of the account to understand its arguments. */
export async function readAbout(ask: Ask): Promise<About> {
  return about.parse(await ask('about', {}))
}

/** The clock on which days and weekdays are read. */
export function clockOf({ now, time_zone, week_starts_on }: About) {
  return { now: Date.parse(now), timeZone: time_zone, weekStart: week_starts_on }
}

/** The stage that a program means, by its id or its name; of the pipeline of the deal, where several have one of that name. */
export function stageNamed(named: string, { pipelines }: About, pipeline: string | null): string {
  const wanted = named.trim().toLowerCase()
  const found = pipelines.flatMap(({ id, stages }) =>
    stages
      .filter((stage) => stage.id === wanted || stage.name.toLowerCase() === wanted)
      .map((stage) => ({ stage: stage.id, pipeline: id })),
  )
  const [only] = found
  const own = found.find((each) => each.pipeline === pipeline) ?? (found.length === 1 ? only : null)
  if (own) return own.stage
  const known = pipelines.flatMap(({ stages }) => stages.map(({ name }) => name))
  throw new InterfaceError(
    400,
    'bad_arguments',
    `There is no such stage. There are: ${[...new Set(known)].join(', ')}. Nothing was done.`,
  )
}
