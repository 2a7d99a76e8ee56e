import { lazy, Suspense } from 'react'
import { loadDealDialog } from '#features/deals/index.ts'
import { useOpenForm } from '#features/forms/index.ts'
import { loadTaskDialog } from '#features/tasks/index.ts'

const TaskDialog = lazy(async () => ({ default: (await loadTaskDialog()).TaskDialog }))
const DealDialog = lazy(async () => ({ default: (await loadDealDialog()).DealDialog }))

/** Stands once in the workspace and shows the form that a screen asked for. */
export function FormHost() {
  const { request, close } = useOpenForm()
  if (!request) return null
  const { contact = null, company = null } = request
  return (
    <Suspense>
      {request.form === 'task' ? (
        <TaskDialog links={{ contact, company, deal: request.deal ?? null }} onClose={close} />
      ) : (
        <DealDialog preset={{ contact, company }} onClose={close} />
      )}
    </Suspense>
  )
}
