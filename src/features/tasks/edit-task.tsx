import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { showError } from '#ui/toast.tsx'
import { oneTask, type Task } from './queries.ts'
import { TaskDialog } from './task-dialog.tsx'

type EditTaskProps = { id: string; onSaved?: () => void; onClose: () => void }

/** 'Edit Task' for a task by its id. */
export function EditTask({ id, onSaved, onClose }: EditTaskProps) {
  const { data, isLoadingError } = useQuery(oneTask(id))
  // Keep the first version, because the form may hold typed text.
  const [task, setTask] = useState<Task | null>(null)
  if (data && !task) setTask(data)
  const isGone = data === null && !task
  useEffect(() => {
    if (isGone) showError('This task no longer exists.')
    if (isGone || isLoadingError) onClose()
  }, [isGone, isLoadingError, onClose])
  if (!task) return null
  return <TaskDialog task={task} {...(onSaved ? { onSaved } : {})} onClose={onClose} />
}
