import { type Task, useCompleteTask, useDeleteTask } from './queries.ts'

/** Complete and delete. The mutations report failures and roll back. */
export function useTaskActions() {
  const complete = useCompleteTask()
  const remove = useDeleteTask()
  return {
    complete: (task: Task, completed: boolean) => void complete(task, completed).catch(() => {}),
    remove(task: Task) {
      // The specification asks for the browser's own confirm.
      if (window.confirm('Are you sure you want to delete this task?')) remove(task).catch(() => {})
    },
  }
}
