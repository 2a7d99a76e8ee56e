/**
 * A start that failed for a reason the operator can fix. The message is one line for people: what happened and what
 * to do. Anything else thrown at start is a bug.
 */
export class StartError extends Error {
  override name = 'StartError'
}
