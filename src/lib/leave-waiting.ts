import { createStore } from './store.ts'
import { waitingQueue } from './waiting-state.ts'

/** Why nothing of the account will be on the device any more. */
export type Leaving = 'sign out' | 'delete account'

type Question = { leaving: Leaving; answer: (mayLeave: boolean) => void }

const question = createStore<Question | null>(null)

/** Before nothing of the account is left on the device: whether all that waits is taken care of. */
export async function mayLeaveWaiting(leaving: Leaving): Promise<boolean> {
  const queue = waitingQueue()
  await queue?.reload()
  if (!queue || queue.all().length === 0) return true
  return new Promise((resolve) => {
    question.set({
      leaving,
      answer(mayLeave) {
        question.set(null)
        resolve(mayLeave)
      },
    })
  })
}

/** The question of `mayLeaveWaiting`, while it is open. */
export const useLeaveWaiting = question.useValue
