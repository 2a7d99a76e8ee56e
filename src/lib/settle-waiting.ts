import { withDependents } from '#domain/waiting-writes.ts'
import { saveFile } from './save-file.ts'
import { alone, waitingAccount, waitingQueue, wakeSender } from './waiting-state.ts'

/** Takes a write back, with all that depends on it. Answers false if it was sent meanwhile. */
export async function takeBack(batch: string): Promise<boolean> {
  const queue = waitingQueue()
  if (!queue) return false
  // Between two sends: a write that is being sent gets its answer first.
  const isTaken = await alone(waitingAccount() ?? '', async () => {
    await queue.reload()
    const taken = withDependents(queue.all(), batch)
    if (!taken.some((write) => write.batch === batch)) return false
    for (const write of taken.toReversed()) {
      // It may have arrived: the server takes it back before it gets any later write.
      if (write.isTried && write.state === 'waiting')
        await queue.put({ ...write, state: 'taken back' })
      else await queue.drop(write.batch)
    }
    return true
  })
  wakeSender()
  return isTaken
}

/** Sends one that is stuck again: over whatever is there, because the user has seen that. */
export async function sendAgain(batch: string): Promise<void> {
  const queue = waitingQueue()
  const stuck = queue?.all().find((write) => write.batch === batch)
  if (!queue || !stuck) return
  const { reason: _reason, theirs, seen, ...write } = stuck
  await queue.put({ ...write, ...(seen && !theirs ? { seen } : {}), state: 'waiting' })
  wakeSender()
}

/** A file with everything that waits, which can be read without this app. */
export function downloadWaiting(): void {
  const changes = (waitingQueue()?.all() ?? []).map(({ title, at, action, args, reason }) => ({
    what: title,
    written_at: new Date(at).toISOString(),
    action,
    ...args,
    ...(reason ? { not_sent_because: reason } : {}),
  }))
  const text = JSON.stringify({ app: 'Solo CRM', changes_not_sent: changes }, null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), 'solo-crm-not-sent.json')
}
