import { CompanyDialog } from '#features/companies/index.ts'
import { ContactDialog } from '#features/contacts/index.ts'
import { DealDialog } from '#features/deals/index.ts'
import { useOpenForm } from '#features/forms/index.ts'
import { EditTask, TaskDialog } from '#features/tasks/index.ts'

/** Mounted once in the workspace; shows the form that `openForm` asked for. */
export function FormHost() {
  const { request, close } = useOpenForm()
  if (!request) return null
  const { form, task, contact = null, company = null, deal = null, onSaved } = request
  const ending = { onClose: close, ...(onSaved ? { onSaved } : {}) }
  return (
    <>
      {form === 'contact' && (
        <ContactDialog {...(company ? { presetCompany: company } : {})} {...ending} />
      )}
      {form === 'company' && <CompanyDialog {...ending} />}
      {form === 'task' && !task && <TaskDialog links={{ contact, company, deal }} {...ending} />}
      {form === 'task' && task && <EditTask id={task} {...ending} />}
      {form === 'deal' && <DealDialog preset={{ contact, company }} {...ending} />}
    </>
  )
}
