import { describeError, logProblem } from './log.ts'
import { SettingsError } from './settings.ts'
import { StartError } from './start-error.ts'

/** Ends the process with one line for people, or with the name and code of an unexpected error. */
export function stopWith(error: unknown): never {
  const isForPeople = error instanceof SettingsError || error instanceof StartError
  logProblem(isForPeople ? error.message : `Solo CRM failed: ${describeError(error)}`)
  process.exit(error instanceof SettingsError ? 2 : 1)
}
