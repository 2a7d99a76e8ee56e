export { LeaveQuestionHost } from './leave-question-host.tsx'
export { reportKept } from './report-kept.ts'
export { WaitingLine } from './waiting-line.tsx'
export { WaitingMark } from './waiting-mark.tsx'
