/** What can be written without a network and sent later: the actions of the database's `write_once`. */
export type WriteAction =
  | 'add note'
  | 'edit note'
  | 'add contact'
  | 'add task'
  | 'complete task'
  | 'plan next step'
  | 'snooze task'
  | 'move deal'
  | 'quick add'

/** As far as the order of sending depends on it. */
export type Sendable = {
  batch: string
  action: WriteAction
  args: object
  /**
   * `waiting` is sent when its turn comes; `refused` and `conflict` wait for the user; of `taken back` nobody knows
   * whether it has arrived, so the server is told.
   */
  state: 'waiting' | 'refused' | 'conflict' | 'taken back'
  /** The window that made this write is sending it; the queue skips it. */
  isDirect?: boolean
}

/** A change of what another one creates, or of the record that another one changes, comes after it or not at all. */
export function dependsOn(later: Sendable, earlier: Sendable): boolean {
  const own = idsIn(later.args)
  return [...madeBy(earlier.args), ...targetOf(earlier.args)].some((id) => own.has(id))
}

/** The next to send, oldest first: what depends on one that is stuck waits with it, all others go on. */
export function nextToSend<Write extends Sendable>(writes: Write[]): Write | undefined {
  const stuck: Write[] = []
  for (const write of writes) {
    if (write.isDirect) continue
    const isStuck = write.state === 'refused' || write.state === 'conflict'
    const follows = stuck.some((earlier) => dependsOn(write, earlier))
    if (!isStuck && !follows) return write
    stuck.push(write)
  }
  return undefined
}

/** A write with all that depends on it: they are taken back together. */
export function withDependents<Write extends Sendable>(writes: Write[], batch: string): Write[] {
  const taken: Write[] = []
  for (const write of writes) {
    if (write.batch === batch || taken.some((earlier) => dependsOn(write, earlier))) {
      taken.push(write)
    }
  }
  return taken
}

/** Those that wait for the user, directly or with another one; they are listed first. */
export function isStuckIn<Write extends Sendable>(writes: Write[], write: Write): boolean {
  if (write.state === 'refused' || write.state === 'conflict') return true
  return writes.some(
    (earlier) =>
      writes.indexOf(earlier) < writes.indexOf(write) &&
      dependsOn(write, earlier) &&
      isStuckIn(writes, earlier),
  )
}

/** The ids that it gives to new records. */
function madeBy(args: object): string[] {
  const { values, next_step, line } = args as Record<string, unknown>
  const readings = Array.isArray(line) ? line.map((each) => Object(each).line) : [line]
  return [
    Object(values).id,
    Object(next_step).id,
    ...readings.map((reading) => Object(Object(reading).task).new_id),
  ].filter((id) => typeof id === 'string')
}

function targetOf(args: object): string[] {
  const { id } = args as { id?: unknown }
  return typeof id === 'string' ? [id] : []
}

/** Every id that it names, but those that only say where a card is dropped, or what was seen. */
function idsIn(value: unknown): Set<string> {
  const ids = new Set<string>()
  function look(part: unknown, name?: string): void {
    if (name === 'before_id' || name === 'after_id' || name === 'seen') return
    if (typeof part === 'string') {
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(part)) ids.add(part)
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, inner] of Object.entries(part)) look(inner, key)
    }
  }
  look(value)
  return ids
}
