import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ContactInput, contactSchema, leadStatuses, newContact } from '#domain/contact.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { RecordDialog } from '#ui/record-dialog.tsx'
import {
  type Contact,
  useCreateContact,
  useReadContactsAgain,
  useUpdateContact,
} from './queries.ts'

export type ContactDialogProps = {
  /** What is edited; nothing for a new one. */
  contact?: Contact
  /** What a new one begins with. */
  preset?: Partial<ContactInput>
  /** The company of the preset. */
  presetCompany?: { id: string; name: string }
  /** Gets what was saved. */
  onSaved?: (contact: { id: string; first_name: string | null; last_name: string | null }) => void
  onClose: () => void
}

/** 'Add Contact' and 'Edit Contact'. */
export function ContactDialog({
  contact,
  preset,
  presetCompany,
  onSaved,
  onClose,
}: ContactDialogProps) {
  const create = useCreateContact()
  const update = useUpdateContact()
  const readAgain = useReadContactsAgain()
  const [company, setCompany] = useState(contact ? companyOf(contact) : (presetCompany ?? null))
  const [isCovered, setIsCovered] = useState(false)
  const companyName = company?.name ?? null
  const blank = { ...newContact, ...preset, company_id: presetCompany?.id ?? null }
  const { form, dialog, other } = useRecordEditor({
    schema: contactSchema,
    record: contact,
    initialValues: contact ? inputOf(contact) : blank,
    create: ({ id, values }) => create({ id, values, companyName }),
    update: ({ seen, values }) => update({ seen, values, companyName }),
    onSaved(saved) {
      onSaved?.(saved)
      onClose()
    },
  })
  return (
    <RecordDialog
      name="Contact"
      size={560}
      isThere={Boolean(contact)}
      {...dialog}
      onClose={onClose}
      isCovered={isCovered}
      conflict={
        other && {
          fields,
          mine: shownValues(form.values, companyName),
          theirs: shownValues(inputOf(other), other.company_name),
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
        <TextInput
          label="First Name"
          name="first_name"
          data-autofocus
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('first_name')}
        />
        <TextInput
          label="Last Name"
          name="last_name"
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('last_name')}
        />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <TextInput
          label="Phone Number"
          name="phone_number"
          type="tel"
          autoComplete="off"
          {...form.getInputProps('phone_number')}
        />
        <TextInput
          label="Role Title"
          name="role_title"
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('role_title')}
        />
        <CompanySelect
          chosen={company}
          onChoose={(chosen) => {
            setCompany(chosen)
            form.setFieldValue('company_id', chosen?.id ?? null)
          }}
          onCovered={setIsCovered}
          canCreate
          error={String(form.errors.company_id ?? '') || undefined}
        />
        <Select
          label="Lead Status"
          name="lead_status"
          data={leadStatuses}
          allowDeselect={false}
          {...form.getInputProps('lead_status')}
        />
        <NumberInput
          label="Lead Score"
          name="lead_score"
          decimalScale={2}
          {...form.getInputProps('lead_score')}
        />
      </SimpleGrid>
      <Textarea
        label="Notes"
        name="notes"
        dir="auto"
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('notes')}
      />
    </RecordDialog>
  )
}

const fields = {
  first_name: 'First Name',
  last_name: 'Last Name',
  email: 'Email',
  phone_number: 'Phone Number',
  role_title: 'Role Title',
  company: 'Company',
  lead_status: 'Lead Status',
  lead_score: 'Lead Score',
  notes: 'Notes',
}

function companyOf({ company_id, company_name }: Contact): { id: string; name: string } | null {
  return company_id ? { id: company_id, name: company_name ?? '' } : null
}

function inputOf(contact: Contact): ContactInput {
  return {
    first_name: contact.first_name ?? '',
    last_name: contact.last_name ?? '',
    email: contact.email ?? '',
    phone_number: contact.phone_number ?? '',
    role_title: contact.role_title ?? '',
    company_id: contact.company_id,
    lead_status: leadStatuses.find((status) => status === contact.lead_status) ?? 'New',
    lead_score: contact.lead_score,
    notes: contact.notes ?? '',
  }
}

/** As both versions are compared. */
function shownValues(values: ContactInput, companyName: string | null) {
  const { company_id: _id, lead_score, ...texts } = values
  return { ...texts, lead_score: String(lead_score), company: companyName ?? '' }
}
