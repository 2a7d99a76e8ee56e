import { describeError, logProblem } from './log.ts'
import { SettingsError } from './settings.ts'
import { StartError } from './start-error.ts'

/** Ends the process: with one line for people where the reason is known, else with a fault's name and code. */
export function stopWith(error: unknown): never {
  const isForPeople = error instanceof SettingsError || error instanceof StartError
  logProblem(isForPeople ? error.message : `Solo CRM failed: ${describeError(error)}`)
  process.exit(error instanceof SettingsError ? 2 : 1)
}
