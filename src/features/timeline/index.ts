export { askToLog, useLogRequest } from './log-request.ts'
export { Timeline } from './timeline.tsx'
export { timelineParam } from './timeline-param.ts'
export { TimelineSkeleton } from './timeline-skeleton.tsx'
