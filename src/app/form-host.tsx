import { lazy, Suspense } from 'react'
import { loadCompanyDialog } from '#features/companies/index.ts'
import { loadContactDialog } from '#features/contacts/index.ts'
import { loadDealDialog } from '#features/deals/index.ts'
import { useOpenForm } from '#features/forms/index.ts'
import { loadEditTask, loadTaskDialog } from '#features/tasks/index.ts'

const ContactDialog = lazy(async () => ({ default: (await loadContactDialog()).ContactDialog }))
const CompanyDialog = lazy(async () => ({ default: (await loadCompanyDialog()).CompanyDialog }))
const TaskDialog = lazy(async () => ({ default: (await loadTaskDialog()).TaskDialog }))
const EditTask = lazy(async () => ({ default: (await loadEditTask()).EditTask }))
const DealDialog = lazy(async () => ({ default: (await loadDealDialog()).DealDialog }))

/** Stands once in the workspace and shows the form that a screen asked for. */
export function FormHost() {
  const { request, close } = useOpenForm()
  if (!request) return null
  const { form, task, contact = null, company = null, deal = null, onSaved } = request
  const ending = { onClose: close, ...(onSaved ? { onSaved } : {}) }
  return (
    <Suspense>
      {form === 'contact' && (
        <ContactDialog {...(company ? { presetCompany: company } : {})} {...ending} />
      )}
      {form === 'company' && <CompanyDialog {...ending} />}
      {form === 'task' && !task && <TaskDialog links={{ contact, company, deal }} {...ending} />}
      {form === 'task' && task && <EditTask id={task} {...ending} />}
      {form === 'deal' && <DealDialog preset={{ contact, company }} {...ending} />}
    </Suspense>
  )
}
