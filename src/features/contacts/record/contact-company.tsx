import { CompanyLink } from '#features/companies/index.ts'
import { type Contact, useUpdateContact } from '../queries.ts'

export function ContactCompany({ contact }: { contact: Contact }) {
  const update = useUpdateContact()
  const { company_id, company_name } = contact
  return (
    <CompanyLink
      company={company_id ? { id: company_id, name: company_name ?? '' } : null}
      onChoose={(chosen) => {
        const values = { company_id: chosen?.id ?? null }
        // The mutation reports a failure and rolls back.
        update({ seen: contact, values, companyName: chosen?.name ?? null }).catch(() => {})
      }}
    />
  )
}
