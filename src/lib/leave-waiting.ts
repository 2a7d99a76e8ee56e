import { deviceStore } from './device-store.ts'
import { createStore } from './store.ts'
import { storedUser } from './stored-session.ts'
import type { WaitingQueue } from './waiting-queue.ts'
import { alone, openWaiting, waitingAccount, waitingQueue } from './waiting-writes.ts'

/** Why nothing of the account will be on the device any more. */
export type Leaving = 'sign out' | 'delete account'

type Question = { leaving: Leaving; answer: (mayLeave: boolean) => void }

const question = createStore<Question | null>(null)

/** How long leaving waits for a write that is being sent, in milliseconds. */
const patience = 3000

/**
 * Leaves, unless something waits on the device and the user wants to stay. What they give up is not sent meanwhile, and
 * still there when leaving fails; it goes when `leave` wipes the device. Answers whether they left.
 */
export async function leaveWaiting(leaving: Leaving, leave: () => Promise<void>): Promise<boolean> {
  // It opens when the first screen has settled, which may not have happened.
  await openWaiting()
  const queue = waitingQueue()
  if (queue) await directSettled(queue)
  else if (await hasWaiting()) throw new Error('What waits on this device cannot be shown.')
  if (!queue || queue.all().length === 0) {
    await leave()
    return true
  }
  const mayLeave = await new Promise<boolean>((resolve) => {
    question.set({
      leaving,
      answer(chosen) {
        question.set(null)
        resolve(chosen)
      },
    })
  })
  if (!mayLeave) return false
  await withoutSending(leave)
  return true
}

/** A write on its first way is about to have its answer. */
async function directSettled(queue: WaitingQueue): Promise<void> {
  const until = Date.now() + patience
  await queue.reload()
  while (queue.all().some(({ isDirect }) => isDirect) && Date.now() < until)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(goOn, until - Date.now())
      const stop = queue.subscribe(goOn)
      function goOn(): void {
        clearTimeout(timer)
        stop()
        resolve()
      }
    })
}

/** Where the code that reads the queue could not be loaded. */
async function hasWaiting(): Promise<boolean> {
  const account = storedUser()?.id
  const keys = account ? await deviceStore(account).keys() : []
  return keys.some((key) => key.startsWith('waiting:'))
}

async function withoutSending(leave: () => Promise<void>): Promise<void> {
  let isBegun = false
  const begin = () => {
    isBegun = true
    return leave()
  }
  try {
    await alone(waitingAccount() ?? '', begin, AbortSignal.timeout(patience))
  } catch (error) {
    if (isBegun) throw error
    await leave()
  }
}

/** The question of `leaveWaiting`, while it is open. */
export const useLeaveWaiting = question.useValue
