import { EditableLink } from '#ui/editable-link.tsx'
import { CompanySelect } from './company-select.tsx'

type Linked = { id: string; name: string }

// The field's clear button cannot be reached by keyboard.
const none = { id: 'none', label: 'No company' }

type CompanyLinkProps = {
  company: Linked | null
  /** Another one, or none. */
  onChoose: (company: Linked | null) => void
}

/** The company that a record belongs to: the way there, and the way to choose another. */
export function CompanyLink({ company, onChoose }: CompanyLinkProps) {
  return (
    <EditableLink
      label="Company"
      linked={company && { to: `/app/companies/${company.id}`, name: company.name }}
      addLabel="Add company"
      renderChooser={({ close, onCovered }) => (
        <CompanySelect
          chosen={company}
          onChoose={(choice) => {
            close()
            const chosen = choice?.id === none.id ? null : choice
            if (chosen?.id !== company?.id) onChoose(chosen)
          }}
          fixed={company ? [none] : []}
          canCreate
          isInPopover
          onCovered={onCovered}
        />
      )}
    />
  )
}
