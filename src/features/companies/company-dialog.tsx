import {
  type CompanyInput,
  companyFields,
  companySchema,
  newCompany,
} from '#domain/fields/companies.ts'
import { formLabels, formTexts, inputsOf } from '#domain/fields/form.ts'
import { FieldInputs } from '#features/fields/index.ts'
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
  const { form, dialog, other } = useRecordEditor({
    schema: companySchema,
    record: company,
    initialValues: company ? inputsOf(companyFields, company) : { ...newCompany, ...preset },
    create,
    update,
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
      conflict={
        other && {
          fields: formLabels(companyFields),
          mine: formTexts(companyFields, form.values),
          theirs: formTexts(companyFields, other),
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <FieldInputs fields={companyFields} form={form} wide={['name', 'website']} />
    </RecordDialog>
  )
}
