import { useSyncExternalStore } from 'react'
import { openedPart } from './lazy-part.tsx'

type Question = {
  title: string
  body: string
  /** What the button that goes ahead says. */
  confirm: string
  isDangerous?: boolean
}

export type OpenQuestion = Question & { answer: (goAhead: boolean) => void }

let open: OpenQuestion | null = null
const listeners = new Set<() => void>()

function change(next: OpenQuestion | null): void {
  open = next
  for (const listener of listeners) listener()
}

/** Asks before something that matters; a newer question takes the place of one still open. */
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

/** Asks before everything that matches a filter is deleted; `what` as in '12 contacts'. */
export function confirmDeleteAll(what: string): Promise<boolean> {
  return confirmAction({
    title: `Delete ${what}?`,
    body: 'Everything that matches is deleted, also what is not on the screen.',
    confirm: 'Delete',
    isDangerous: true,
  })
}

/** The dialog comes with the first question, or before, where one may come soon. */
export const ConfirmDialog = openedPart(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
)

/** Stands once in the app and shows what `confirmAction` asks. */
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
