import { createStore } from '#lib/store.ts'
import type { Task } from './queries.ts'

type Offer = { task: Task; isByKey: boolean }

const place = createStore<Offer | null>(null)

let isByKey = false

/** Notes whether the user is at the keyboard or at the mouse. */
export function noteInput({ type }: Event): void {
  isByKey = type === 'keydown'
}

/** Offers a line for what comes after a task that was just completed. */
export function offerNextStep(task: Task): void {
  place.set({ task, isByKey })
}

/** The task that was completed last, while its next step may be planned; whether that was done by a key. */
export function useNextStepOffer() {
  return { offer: place.useValue(), close: () => place.set(null) }
}
