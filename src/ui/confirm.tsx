import { useSyncExternalStore } from 'react'
import { openedPart } from './lazy-part.tsx'

type Question = {
  title: string
  body: string
  /** The label of the confirming button. */
  confirm: string
  /** The label of the other one: 'Cancel', unless that could be read as either answer. */
  cancel?: string
  isDangerous?: boolean
}

export type OpenQuestion = Question & { answer: (goAhead: boolean) => void }

let open: OpenQuestion | null = null
const listeners = new Set<() => void>()

function change(next: OpenQuestion | null): void {
  open = next
  for (const listener of listeners) listener()
}

/** Asks the user to confirm; a new question replaces an open one. */
export function confirmAction(question: Question): Promise<boolean> {
  open?.answer(false)
  return new Promise((resolve) => {
    change({
      ...question,
      answer(goAhead) {
        change(null)
        resolve(goAhead)
      },
    })
  })
}

/** Closes an open question with no, such as when another account takes over: it may name records of the one before. */
export function withdrawQuestion(): void {
  open?.answer(false)
}

/** Asks before everything that matches a filter is deleted; `what` as in '12 contacts'. */
export function confirmDeleteAll(what: string): Promise<boolean> {
  return confirmAction({
    title: `Delete ${what}?`,
    body: 'This deletes everything that matches, including what isn’t shown.',
    confirm: 'Delete',
    isDangerous: true,
  })
}

/** Loaded with the first question, or preloaded where one is likely. */
export const ConfirmDialog = openedPart(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
)

/** Mounted once in the app; shows the question of `confirmAction`. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )
  if (!question) return null
  return <ConfirmDialog question={question} onClose={() => question.answer(false)} />
}
