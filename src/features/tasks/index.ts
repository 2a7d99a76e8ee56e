export { taskDayShortcuts } from './days/task-day-shortcuts.ts'
/** The buttons of the top bar; they come after the first screen. */
export const loadTaskButtons = () => import('./task-buttons.tsx')
/** Loaded when the screen is first opened. */
export const loadTasksPage = () => import('./tasks-page.tsx')
export { useTasksSince } from './counts/queries.ts'
export { NextStepHost } from './next-step-host.tsx'
export { NextStepLine } from './next-step-line.tsx'
export { nextStepShortcut } from './next-step-shortcut.ts'
export { type Task, taskCard } from './queries.ts'
export { RecordTasks } from './record-tasks.tsx'
export { repeatInWords } from './repeat-words.ts'
export { EditTask, TaskDialog } from './task-dialog-parts.ts'
export { TaskLine } from './task-line.tsx'
export { shownWithWrite } from './writes/queries.ts'
