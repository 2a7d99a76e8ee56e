import { createStore } from './store.ts'
import { alone, waitingAccount, waitingQueue } from './waiting-state.ts'

/** Why nothing of the account will be on the device any more. */
export type Leaving = 'sign out' | 'delete account'

type Question = { leaving: Leaving; answer: (mayLeave: boolean) => void }

const question = createStore<Question | null>(null)

/** How long signing out waits for a write that is being sent, in milliseconds. */
const patience = 3000

/**
 * Leaves, unless something waits on the device and the user wants to stay. What they give up is not sent meanwhile, and
 * still there when leaving fails; it goes when `leave` wipes the device. Answers whether they left.
 */
export async function leaveWaiting(leaving: Leaving, leave: () => Promise<void>): Promise<boolean> {
  const queue = waitingQueue()
  await queue?.reload()
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
