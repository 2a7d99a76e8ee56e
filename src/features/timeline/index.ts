export { askToLog } from './log-request.ts'
export { Timeline } from './timeline.tsx'
export { timelineParam } from './timeline-filter.tsx'
