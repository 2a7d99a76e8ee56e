import { CompanySelect } from '#features/companies/index.ts'
import { EditableLink } from '#ui/editable-link.tsx'
import { type Contact, useUpdateContact } from '../queries.ts'

const none = { id: 'none', label: 'No company' }

/** Whom the contact works for. */
export function ContactCompany({ contact }: { contact: Contact }) {
  const update = useUpdateContact()
  const { company_id, company_name } = contact
  const company = company_id ? { id: company_id, name: company_name ?? '' } : null

  function choose(chosen: { id: string; name: string } | null): void {
    if (chosen?.id === company?.id) return
    const values = { company_id: chosen?.id ?? null }
    // A failure has been told, and the old one is back.
    update({ seen: contact, values, companyName: chosen?.name ?? null }).catch(() => {})
  }

  return (
    <EditableLink
      label="Company"
      linked={company && { to: `/app/companies/${company.id}`, name: company.name }}
      addLabel="Add company"
      renderChooser={({ close, onCovered }) => (
        <CompanySelect
          chosen={company}
          onChoose={(chosen) => {
            close()
            choose(chosen?.id === none.id ? null : chosen)
          }}
          // The field's own cross is not for the keyboard.
          fixed={company ? [none] : []}
          canCreate
          isInPopover
          onCovered={onCovered}
        />
      )}
    />
  )
}
