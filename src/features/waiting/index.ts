import { fetchCode } from '#ui/fetch-code.ts'
import { LeaveQuestion } from './leave-question-host.tsx'
import { loadTakeBack } from './report-kept.ts'
import { WaitingPanel } from './waiting-line.tsx'

export { LeaveQuestionHost } from './leave-question-host.tsx'
export { reportKept } from './report-kept.ts'
export { WaitingLine } from './waiting-line.tsx'
export { WaitingMark } from './waiting-mark.tsx'

/** What is needed when there is no network to load it over: the app preloads it. */
export const waitingParts = [
  WaitingPanel,
  LeaveQuestion,
  {
    preload: () =>
      fetchCode(loadTakeBack).then(
        () => true,
        () => false,
      ),
  },
]
