import { offerNextStep } from './next-step-request.ts'
import type { Task } from './queries.ts'
import { useCompleteTask, useDeleteTask } from './writes/queries.ts'

/** Complete and delete. The mutations report failures and roll back. */
export function useTaskActions() {
  const complete = useCompleteTask()
  const remove = useDeleteTask()
  return {
    complete(task: Task, completed: boolean) {
      complete(task, completed).catch(() => {})
      // What repeats has its next task already.
      if (completed && !task.repeat) offerNextStep(task)
    },
    remove(task: Task) {
      // The specification asks for the browser's own confirm.
      if (window.confirm('Are you sure you want to delete this task?')) remove(task).catch(() => {})
    },
  }
}
