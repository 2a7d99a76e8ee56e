import { Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { dealContactSchema } from '#domain/deal-contacts.ts'
import { type DealPerson, dealRoles } from '#domain/deal-people.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { recordInput } from '#features/fields/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import type { Deal } from '../queries.ts'
import { useSetDealContact } from './queries.ts'

type DealContactDialogProps = {
  deal: Deal
  /** Who gets another role; undefined to add somebody. */
  person?: DealPerson
  onClose: () => void
}

/** Puts somebody on a deal, or gives them another role. */
export function DealContactDialog({ deal, person, onClose }: DealContactDialogProps) {
  const set = useSetDealContact()
  const [contact, setContact] = useState<{ id: string; name: string } | null>(null)
  const [isCovered, setIsCovered] = useState(false)
  const { form, dialog } = useRecordForm({
    schema: dealContactSchema,
    initialValues: { contact_id: person?.id ?? null, role: person?.role ?? '' },
    async save({ role }) {
      const chosen = person ?? (contact && named(contact))
      if (!chosen) return
      const name = contactName(chosen.name)
      await set(
        // The first one is the main one.
        { deal, person: { ...chosen, role }, isMain: !person && deal.contact_id === null },
        person ? `${name}: ${role ?? 'no role'}` : `${name} added to the deal`,
      )
      onClose()
    },
  })
  return (
    <FormDialog
      title={person ? `${contactName(person.name)}’s role` : 'Add contact to deal'}
      submitLabel={person ? 'Save role' : 'Add contact'}
      size={440}
      {...dialog}
      isCovered={isCovered}
      onClose={onClose}
    >
      {!person && (
        <ContactSelect
          isFirst
          chosen={contact}
          onChoose={(chosen) => {
            setContact(chosen)
            form.setFieldValue('contact_id', chosen?.id ?? null)
          }}
          {...recordInput(form, 'contact_id', setIsCovered)}
        />
      )}
      <Autocomplete
        label="Role"
        description="Choose a role or type your own."
        name="role"
        data={dealRoles}
        dir="auto"
        {...(person ? { 'data-autofocus': true } : {})}
        {...form.getInputProps('role')}
      />
    </FormDialog>
  )
}

/** A contact that was just chosen, until the backend answers with the parts of its name. */
function named({ id, name }: { id: string; name: string }) {
  return { id, name: { first_name: name, last_name: null, email: null } }
}
