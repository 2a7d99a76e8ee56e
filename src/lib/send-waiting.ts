import { z } from 'zod/mini'
import { nextToSend } from '#domain/waiting-writes.ts'
import { checked } from './answers.ts'
import { authClient } from './auth-client.ts'
import { errorMessage, isSessionGone, isUnreachable } from './errors.ts'
import { watchNetwork } from './network.ts'
import { supabase } from './supabase.ts'
import { onceAnswer, type WaitingQueue, type WaitingWrite } from './waiting-queue.ts'
import { alone } from './waiting-state.ts'

/** What came of one send. `later`: the server is there and cannot take it now. */
export type Outcome =
  | { kind: 'done' | 'away' | 'no session' }
  | { kind: 'later'; why?: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'conflict'; theirs: NonNullable<WaitingWrite['theirs']> }

type SenderOptions = {
  account: string
  queue: WaitingQueue
  /** Reads again what the screen shows. */
  onSent: () => Promise<unknown>
  send?: (write: WaitingWrite, account: string) => Promise<Outcome>
  lock?: typeof alone
}

/** So often a write may break the server before it makes way for those behind it. */
const mostFailures = 5

/** In milliseconds: between two tries, at first and at most. */
const [firstPause, longestPause] = [2000, 60_000]

/**
 * Sends what waits, one after the other, whichever window it was written in: only one window at a time. What cannot be
 * sent now is tried again after a while, and as soon as there is a network.
 */
export function startSender({
  account,
  queue,
  onSent,
  send = sendOne,
  lock = alone,
}: SenderOptions) {
  let isOver = false
  let isSending = false
  /** Something was sent, by this window or another one, and not everything that shows it is read yet. */
  let isUnread = false
  let isWoken = false
  let pause = firstPause
  let timer: ReturnType<typeof setTimeout> | undefined
  const failures = new Map<string, number>()

  /** A write that fails in the server again and again is shown as refused. */
  function judged({ batch }: WaitingWrite, outcome: Outcome): Outcome {
    if (outcome.kind !== 'later' || !outcome.why) return outcome
    failures.set(batch, (failures.get(batch) ?? 0) + 1)
    if ((failures.get(batch) ?? 0) < mostFailures) return outcome
    failures.delete(batch)
    return { kind: 'refused', reason: outcome.why }
  }

  /** Sends the next one; answers whether to go on. */
  function step(): Promise<'sent' | 'stuck' | 'empty' | 'later'> {
    return lock(account, async () => {
      if (await queue.reload()) isUnread = true
      const write = nextToSend(queue.all())
      if (isOver || !write) return 'empty'
      const outcome = judged(write, await send(write, account))
      if (outcome.kind === 'done') {
        await queue.drop(write.batch, write.state !== 'taken back')
        isUnread = true
        return 'sent'
      }
      if (outcome.kind === 'refused' || outcome.kind === 'conflict') {
        const { kind, ...why } = outcome
        await queue.put({ ...write, ...why, state: kind })
        return 'stuck'
      }
      if (outcome.kind === 'away' && !write.isTried) await queue.put({ ...write, isTried: true })
      return 'later'
    })
  }

  async function drain(): Promise<void> {
    try {
      for (;;) {
        isWoken = false
        const came = await step()
        if (came === 'sent' || came === 'stuck') pause = firstPause
        else if (came === 'later') {
          timer = setTimeout(wake, pause)
          pause = Math.min(pause * 2, longestPause)
          return
        } else if (!isWoken) return
      }
    } finally {
      if (isUnread && !isOver) {
        isUnread = false
        await onSent().catch(() => {})
      }
    }
  }

  function wake(): void {
    isWoken = true
    if (isOver || isSending) return
    clearTimeout(timer)
    isSending = true
    drain()
      .catch(() => {})
      .finally(() => {
        isSending = false
        // Written while the lists were read again.
        if (isWoken && nextToSend(queue.all())) wake()
      })
  }
  const stopWatching = watchNetwork(wake)
  return {
    wake,
    stop(): void {
      isOver = true
      clearTimeout(timer)
      stopWatching()
    },
  }
}

/** In milliseconds. */
const patience = 30_000

/** The code that renews a session comes from the server as well. */
const codeIsAway = () => null

async function sendOne(write: WaitingWrite, account: string): Promise<Outcome> {
  const session = await authClient().then((auth) => auth.getSession(), codeIsAway)
  if (!session) return { kind: 'away' }
  const { data, error } = session
  if (error) return { kind: isSessionGone(error) ? 'no session' : 'away' }
  // What one account has written goes out with its own session, or not at all.
  if (data.session?.user.id !== account) return { kind: 'no session' }
  const headers = `Bearer ${data.session.access_token}`
  const { batch, action, args, seen, state, at } = write
  const written_at = new Date(at).toISOString()
  const isTakenBack = state === 'taken back'
  const asked = isTakenBack
    ? { batch, action: 'take back', args: {} }
    : { batch, action, args: { ...args, ...(seen ? { seen } : {}), written_at } }
  const signal = AbortSignal.timeout(patience)
  const answer = await supabase()
    .rpc('write_once', asked)
    .setHeader('Authorization', headers)
    .abortSignal(signal)
  if (answer.error)
    return signal.aborted ? { kind: 'away' } : outcomeOf(answer.error, answer.status)
  const { conflict, batch: written } = checked(onceAnswer, answer.data)
  if (conflict) return { kind: 'conflict', theirs: conflict }
  if (isTakenBack && written) return undo(written, headers)
  return { kind: 'done' }
}

const undoAnswer = z.object({ conflicts: z.optional(z.array(z.object({ reason: z.string() }))) })

/** It had arrived before it was taken back. */
async function undo(batch: string, headers: string): Promise<Outcome> {
  const { data, error, status } = await supabase()
    .rpc('undo_batch', { batch })
    .setHeader('Authorization', headers)
  if (error) return outcomeOf(error, status)
  const { conflicts = [] } = checked(undoAnswer, data)
  if (conflicts.every(({ reason }) => reason === 'undone')) return { kind: 'done' }
  const reason = 'It was already sent and has changed since. Undo it in the history.'
  return { kind: 'refused', reason }
}

/** Of an error the outcome: what may pass is tried again, and a refusal is shown. */
export function outcomeOf(error: { message: string; code?: string }, status: number): Outcome {
  if (isUnreachable(error) || status === 0) return { kind: 'away' }
  if (status === 401 || isSessionGone(error)) return { kind: 'no session' }
  if (status === 500) return { kind: 'later', why: errorMessage(error) }
  if (status > 500 || status === 429 || status === 408) return { kind: 'later' }
  return { kind: 'refused', reason: errorMessage(error) }
}
