import { lazy, Suspense } from 'react'
import { useOpenForm } from '#features/forms/index.ts'
import { loadTaskDialog } from '#features/tasks/index.ts'

const TaskDialog = lazy(async () => ({ default: (await loadTaskDialog()).TaskDialog }))

/** Stands once in the workspace and shows the form that a screen asked for. */
export function FormHost() {
  const { request, close } = useOpenForm()
  if (!request) return null
  const { contact = null, company = null, deal = null } = request
  return (
    <Suspense>
      <TaskDialog links={{ contact, company, deal }} onClose={close} />
    </Suspense>
  )
}
