import { openedPart } from '#ui/lazy-part.tsx'

/** The form of a task; its code, like that of the others here, comes when it is first opened. */
export const TaskDialog = openedPart(async () => (await import('./task-dialog.tsx')).TaskDialog)

/** The same, of a task that only its id is known of. */
export const EditTask = openedPart(async () => (await import('./edit-task.tsx')).EditTask)

export const DueDateDialog = openedPart(
  async () => (await import('./due-date-dialog.tsx')).DueDateDialog,
)
