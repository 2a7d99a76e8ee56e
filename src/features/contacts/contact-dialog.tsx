import { useState } from 'react'
import { contactFields } from '#domain/fields/contacts.ts'
import { firstOf, listsOf, withFirsts } from '#domain/fields/entries.ts'
import { formLabels, formTexts, inputsOf, ownTexts } from '#domain/fields/form.ts'
import { pastedName } from '#domain/fields/pasted-entries.ts'
import { type ContactInput, newContact } from '#domain/fields/record-forms.ts'
import { comparedContact } from '#domain/similar.ts'
import { CompanySelect } from '#features/companies/index.ts'
import {
  EntriesInput,
  FieldInputs,
  FirstLabel,
  pasteEntries,
  recordInput,
} from '#features/fields/index.ts'
import { AddFieldButton, useOwnForm } from '#features/own-fields/index.ts'
import { SimilarRecords } from '#features/similar/index.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { RecordDialog } from '#ui/record-dialog.tsx'
import {
  type Contact,
  useCreateContact,
  useReadContactsAgain,
  useUpdateContact,
} from './queries.ts'

export type ContactDialogProps = {
  /** The record to edit; undefined for a new one. */
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
  const { own, schema } = useOwnForm('contacts', contactFields)
  const { form, dialog, other } = useRecordEditor({
    schema,
    record: contact,
    initialValues: { ...(contact ? inputsOf(contactFields, contact) : blank), custom: {} },
    create: ({ id, values }) =>
      create({ id, values: withFirsts(contactFields, values), companyName }),
    update: ({ seen, values }) =>
      update({ seen, values: withFirsts(contactFields, values), companyName }),
    onSaved(saved) {
      onSaved?.(saved)
      onClose()
    },
  })
  /** An address that is pasted with a name names the contact, as long as it has none. */
  function paste(field: string, text: string): boolean {
    const { first_name, last_name } = form.values
    const named = field === 'email' && first_name + last_name === '' ? pastedName(text) : null
    const owner = named ? [`${named.first_name} ${named.last_name}`] : []
    const isPasted = pasteEntries(contactFields, form, field, text, ...owner)
    if (isPasted && named) form.setValues(named)
    return isPasted
  }

  return (
    <RecordDialog
      name="Contact"
      size={560}
      isThere={Boolean(contact)}
      {...dialog}
      onClose={onClose}
      isCovered={isCovered}
      notice={!contact && <SimilarRecords kind="contacts" typed={comparedContact(form.values)} />}
      conflict={
        other && {
          fields: { ...formLabels(contactFields), ...formLabels(own) },
          mine: {
            ...formTexts(contactFields, withFirsts(contactFields, form.values), {
              company_id: companyName,
            }),
            ...ownTexts(own, contact, form.values.custom),
          },
          theirs: {
            ...formTexts(contactFields, other, { company_id: other.company_name }),
            ...ownTexts(own, other),
          },
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <FieldInputs
        fields={{ ...contactFields, ...own }}
        form={form}
        record={contact}
        asideOf={(name) =>
          isFirst(name) && <FirstLabel fields={contactFields} form={form} name={name} />
        }
        onPasteText={paste}
        special={{
          company_id: (
            <CompanySelect
              chosen={company}
              onChoose={(chosen) => {
                setCompany(chosen)
                form.setFieldValue('company_id', chosen?.id ?? null)
              }}
              {...recordInput(form, 'company_id', setIsCovered)}
            />
          ),
        }}
      />
      <EntriesInput fields={contactFields} form={form} />
      <AddFieldButton record="contacts" onCovered={setIsCovered} />
    </RecordDialog>
  )
}

/** Whether a field holds the first entry of a list: only that one has a label. Own fields belong to no list. */
function isFirst(name: string): boolean {
  return listsOf(contactFields).some(([list]) => firstOf(contactFields, list) === name)
}

function companyOf({ company_id, company_name }: Contact): { id: string; name: string } | null {
  return company_id ? { id: company_id, name: company_name ?? '' } : null
}
