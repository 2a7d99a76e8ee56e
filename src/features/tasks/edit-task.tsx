import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showError } from '#ui/toast.tsx'
import { oneTask } from './queries.ts'
import { TaskDialog } from './task-dialog.tsx'

type EditTaskProps = { id: string; onSaved?: () => void; onClose: () => void }

/** 'Edit Task' for a task of which only the id is known. */
export function EditTask({ id, onSaved, onClose }: EditTaskProps) {
  const { data: task, isError } = useQuery(oneTask(id))
  const isGone = task === null
  useEffect(() => {
    if (isGone) showError('This task does not exist any more.')
    if (isGone || isError) onClose()
  }, [isGone, isError, onClose])
  if (!task) return null
  return <TaskDialog task={task} {...(onSaved ? { onSaved } : {})} onClose={onClose} />
}
