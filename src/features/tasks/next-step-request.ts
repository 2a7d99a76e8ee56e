import { createStore } from '#lib/store.ts'
import type { Task } from './queries.ts'

const place = createStore<Task | null>(null)

/** Offers a line for what comes after a task that was just completed. */
export function offerNextStep(after: Task): void {
  place.set(after)
}

/** The task that was completed last, while its next step may be planned. */
export function useNextStepOffer() {
  return { task: place.useValue(), close: () => place.set(null) }
}
