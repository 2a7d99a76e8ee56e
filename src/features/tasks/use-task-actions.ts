import { type Task, useCompleteTask, useDeleteTask } from './queries.ts'

/** What can be done with one press. A failure has been told, and the task is as it was. */
export function useTaskActions() {
  const complete = useCompleteTask()
  const remove = useDeleteTask()
  return {
    complete: (task: Task, completed: boolean) => void complete(task, completed).catch(() => {}),
    remove(task: Task) {
      // The specification asks with the browser's own question.
      if (window.confirm('Are you sure you want to delete this task?')) remove(task).catch(() => {})
    },
  }
}
