import { useState } from 'react'
import { companyFields } from '#domain/fields/companies.ts'
import { withFirsts } from '#domain/fields/entries.ts'
import { formLabels, formTexts, inputsOf, ownTexts } from '#domain/fields/form.ts'
import { type CompanyInput, newCompany } from '#domain/fields/record-forms.ts'
import { comparedCompany } from '#domain/similar.ts'
import { EntriesInput, FieldInputs } from '#features/fields/index.ts'
import { AddFieldButton, useOwnForm } from '#features/own-fields/index.ts'
import { SimilarRecords } from '#features/similar/index.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { RecordDialog } from '#ui/record-dialog.tsx'
import {
  type Company,
  type StoredCompany,
  useCreateCompany,
  useReadCompaniesAgain,
  useUpdateCompany,
} from './queries.ts'

type CompanyDialogProps = {
  /** The record to edit; undefined for a new one. */
  company?: Company
  /** What a new one begins with. */
  preset?: Partial<CompanyInput>
  onClose: () => void
  onSaved?: (company: StoredCompany) => void
}

/** 'Add Company' and 'Edit Company'. */
export function CompanyDialog({ company, preset, onClose, onSaved }: CompanyDialogProps) {
  const create = useCreateCompany()
  const update = useUpdateCompany()
  const readAgain = useReadCompaniesAgain()
  const [isCovered, setIsCovered] = useState(false)
  const { own, schema } = useOwnForm('companies', companyFields)
  const blank = { ...newCompany, ...preset }
  const { form, dialog, other } = useRecordEditor({
    schema,
    record: company,
    initialValues: { ...(company ? inputsOf(companyFields, company) : blank), custom: {} },
    create: ({ id, values }) => create({ id, values: withFirsts(companyFields, values) }),
    update: ({ seen, values }) => update({ seen, values: withFirsts(companyFields, values) }),
    onSaved(saved) {
      onSaved?.(saved)
      onClose()
    },
  })
  return (
    <RecordDialog
      name="Company"
      isThere={Boolean(company)}
      {...dialog}
      onClose={onClose}
      isCovered={isCovered}
      notice={!company && <SimilarRecords kind="companies" typed={comparedCompany(form.values)} />}
      conflict={
        other && {
          fields: { ...formLabels(companyFields), ...formLabels(own) },
          mine: {
            ...formTexts(companyFields, form.values),
            ...ownTexts(own, company, form.values.custom),
          },
          theirs: { ...formTexts(companyFields, other), ...ownTexts(own, other) },
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <FieldInputs
        fields={{ ...companyFields, ...own }}
        form={form}
        record={company}
        wide={['name', 'website']}
      />
      <EntriesInput fields={companyFields} form={form} />
      <AddFieldButton record="companies" onCovered={setIsCovered} />
    </RecordDialog>
  )
}
