import { createStore } from '#lib/store.ts'
import { holdOverReload } from '#ui/unload-warning.ts'

/** What was typed when the field was closed without an answer, so that a wrong click loses no line. */
export const draft = createStore('')

holdOverReload(() => draft.get().trim() !== '')
