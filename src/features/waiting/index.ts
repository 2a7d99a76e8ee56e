import { loadUndoLast } from '#features/history/index.ts'
import { fetchCode } from '#ui/fetch-code.ts'
import { LeaveQuestion } from './leave-question-host.tsx'
import { loadTakeBack } from './report-kept.ts'
import { loadLine } from './waiting-line-host.tsx'

export { LeaveQuestionHost } from './leave-question-host.tsx'
export { reportKept, takeBack } from './report-kept.ts'
export { WaitingLine } from './waiting-line-host.tsx'
export { WaitingMark } from './waiting-mark.tsx'

const preloaded = (load: () => Promise<unknown>) => ({
  preload: () =>
    load().then(
      () => true,
      () => false,
    ),
})

/** What is needed when there is no network to load it over: the app preloads it. */
export const waitingParts = [
  preloaded(loadLine),
  preloaded(() => fetchCode(() => import('#lib/send-waiting.ts'))),
  LeaveQuestion,
  preloaded(() => fetchCode(loadTakeBack)),
  preloaded(() => fetchCode(loadUndoLast)),
]
