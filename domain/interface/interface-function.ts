import type { z } from 'zod'

/** Asks the database for one of `private.listed_functions`, as the owner of a token. Throws an {@link InterfaceError}. */
export type Ask = (name: string, args: object) => Promise<unknown>

/** One function of the interface for programs, which is also one tool of an assistant. */
export type InterfaceFunction = {
  name: string
  title: string
  /** What it is for, as one would tell a new colleague. */
  description: string
  writes: boolean
  input: z.ZodObject
  /** What it answers with, where that is always the same; an answer that is too long is `cut`. */
  answer: z.ZodType
  /** Takes what `input` has read. */
  run: (args: never, ask: Ask) => Promise<unknown>
}

/** Makes a function whose arguments have the type of its input. */
export function interfaceFunction<Input extends z.ZodObject>(
  definition: Omit<InterfaceFunction, 'input' | 'run'> & {
    input: Input
    run: (args: z.output<Input>, ask: Ask) => Promise<unknown>
  },
): InterfaceFunction {
  return definition
}

/** A refusal with its HTTP status and words for people. */
export class InterfaceError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Reads the arguments and runs the function. */
export async function runFunction(
  definition: InterfaceFunction,
  args: unknown,
  ask: Ask,
): Promise<unknown> {
  const read = definition.input.safeParse(args)
  if (!read.success) {
    throw new InterfaceError(400, 'bad_arguments', problemsIn(read.error.issues))
  }
  // The output of `input` is what `run` takes: `interfaceFunction` has seen to that.
  return definition.run(read.data as never, ask)
}

function problemsIn(issues: z.core.$ZodIssue[]): string {
  const problems = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    // Those of the library have no full stop, ours have one.
    .map((problem) => problem.replace(/\.?$/, '.'))
  return `${problems.join(' ')} Nothing was done.`
}
