import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react'
import { ConfirmDialog, confirmAction } from './confirm.tsx'
import { guardLeaving } from './navigation.ts'
import { warnBeforeUnload } from './unload-warning.ts'

/** All holders of typed text on the screen, because the router allows only one blocker. */
const unsaved = new Set<object>()
let isAsked = false
const listeners = new Set<() => void>()

async function askToDiscard(): Promise<boolean> {
  if (isAsked) return false
  change(true)
  const goAhead = await confirmAction({
    title: 'Discard changes?',
    body: 'Your changes haven’t been saved.',
    confirm: 'Discard',
    cancel: 'Keep editing',
    isDangerous: true,
  })
  change(false)
  return goAhead
}

function change(next: boolean): void {
  isAsked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tell whether there is typed text outside of React components. */
const holders = new Set<() => boolean>()

/** For typed text outside of components, for as long as `holds` says so. */
export function holdTypedText(holds: () => boolean): () => void {
  holders.add(holds)
  return () => holders.delete(holds)
}

/** Whether something on the screen holds typed text. */
export function hasTypedText(): boolean {
  return unsaved.size > 0 || [...holders].some((holds) => holds())
}

/** While a dialog over everything is open, the forms below it neither close nor ask. */
export function useCoverTypedText(): void {
  useEffect(() => {
    change(true)
    return () => change(false)
  }, [])
}

/** Whether the whole screen may close: no typed text, or the user agrees to lose it. */
export async function mayDiscardAll(): Promise<boolean> {
  return !hasTypedText() || askToDiscard()
}

/** Collects fields with text outside of the form's values: a name that is typed and not yet chosen. */
export const TextInside = createContext<Set<object> | null>(null)

/**
 * Asks before typed text is lost by closing a dialog, leaving the screen or closing the tab. `inside` is the set of
 * `TextInside`, for dialogs that close by themselves.
 */
export function useLeaveQuestion(isDirty: boolean, inside?: Set<object>) {
  const [me] = useState(() => ({}))
  const around = use(TextInside)
  const isAsking = useSyncExternalStore(subscribe, () => isAsked)
  useEffect(() => {
    if (!isDirty) return
    unsaved.add(me)
    around?.add(me)
    ConfirmDialog.preload()
    const stopWarning = warnBeforeUnload(true)
    return () => {
      unsaved.delete(me)
      around?.delete(me)
      stopWarning()
    }
  }, [me, around, isDirty])
  async function mayLeave(): Promise<boolean> {
    return !(isDirty || inside?.size) || askToDiscard()
  }
  return { isAsking, mayLeave }
}

/** Mounted once in the workspace: blocks leaving a screen with typed text until the user has confirmed. */
export function useLeaveGuard(): void {
  useEffect(
    () =>
      guardLeaving({
        asks: (from, to) => from !== to && hasTypedText(),
        mayLeave: askToDiscard,
      }),
    [],
  )
}
