import { createStore } from './store.ts'
import { waitingQueue } from './waiting-state.ts'

const question = createStore<{ answer: (mayLeave: boolean) => void } | null>(null)

/** Before a sign-out, which leaves nothing of the account on the device: whether all that waits is taken care of. */
export async function mayLeaveWaiting(): Promise<boolean> {
  const queue = waitingQueue()
  await queue?.reload()
  if (!queue || queue.all().length === 0) return true
  return new Promise((resolve) => {
    question.set({
      answer(mayLeave) {
        question.set(null)
        resolve(mayLeave)
      },
    })
  })
}

/** The question of `mayLeaveWaiting`, while it is open. */
export const useLeaveWaiting = question.useValue
