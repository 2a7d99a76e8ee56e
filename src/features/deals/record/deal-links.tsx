import { contactName } from '#domain/contact.ts'
import { CompanyLink } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { EditableLink } from '#ui/editable-link.tsx'
import { type Deal, useUpdateDeal } from '../queries.ts'

// The field's clear button cannot be reached by keyboard.
const noContact = { id: 'none', label: 'No contact' }

type Linked = { id: string; name: string }

/** The company of a deal. Changing it clears the contact. */
export function DealCompany({ deal }: { deal: Deal }) {
  const update = useUpdateDeal()
  return (
    <CompanyLink
      company={companyOf(deal)}
      onChoose={(chosen) => {
        const values = { company_id: chosen?.id ?? null, contact_id: null }
        const names = { company_name: chosen?.name ?? null, contact: null }
        // The mutation reports a failure and rolls back.
        update({ seen: deal, values, names }).catch(() => {})
      }}
    />
  )
}

export function DealContact({ deal }: { deal: Deal }) {
  const update = useUpdateDeal()
  const { contact_id } = deal
  const contact =
    contact_id && deal.contact ? { id: contact_id, name: contactName(deal.contact) } : null

  function choose(chosen: Linked | null): void {
    if (chosen?.id === contact?.id) return
    // Until the backend answers with the parts of the name.
    const names = {
      contact: chosen && { first_name: chosen.name, last_name: null, email: null },
    }
    // As above.
    update({ seen: deal, values: { contact_id: chosen?.id ?? null }, names }).catch(() => {})
  }

  return (
    <EditableLink
      label="Contact"
      linked={contact && { to: `/app/contacts/${contact.id}`, name: contact.name }}
      addLabel="Add contact"
      renderChooser={({ close, onCovered }) => (
        <ContactSelect
          chosen={contact}
          onChoose={(chosen) => {
            close()
            choose(chosen?.id === noContact.id ? null : chosen)
          }}
          company={companyOf(deal)}
          fixed={contact ? [noContact] : []}
          canCreate
          isInPopover
          onCovered={onCovered}
        />
      )}
    />
  )
}

function companyOf({ company_id, company_name }: Deal): Linked | null {
  return company_id ? { id: company_id, name: company_name ?? '' } : null
}
