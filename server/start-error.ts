/**
 * A start that cannot go on for a reason the operator can mend. Its message is for people: one line that
 * says what happened and what to do. Anything else thrown at start is a fault of ours.
 */
export class StartError extends Error {
  override name = 'StartError'
}
