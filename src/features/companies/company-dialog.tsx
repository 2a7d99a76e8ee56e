import { SimpleGrid, TextInput } from '@mantine/core'
import { type CompanyInput, companySchema, newCompany } from '#domain/company.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { RecordDialog } from '#ui/record-dialog.tsx'
import { companyTexts } from './company-texts.ts'
import {
  type Company,
  type StoredCompany,
  useCreateCompany,
  useReadCompaniesAgain,
  useUpdateCompany,
} from './queries.ts'

type CompanyDialogProps = {
  /** What is edited; nothing for a new one. */
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
    initialValues: company ? companyTexts(company) : { ...newCompany, ...preset },
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
          fields,
          mine: form.values,
          theirs: companyTexts(other),
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <TextInput
        label="Company Name *"
        name="name"
        required
        withAsterisk={false}
        data-autofocus
        dir="auto"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Website"
        name="website"
        type="url"
        placeholder="https://acme.com"
        autoComplete="off"
        {...form.getInputProps('website')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
        <TextInput
          label="Industry"
          name="industry"
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('industry')}
        />
        <TextInput
          label="Location"
          name="location"
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('location')}
        />
      </SimpleGrid>
    </RecordDialog>
  )
}

const fields = {
  name: 'Company Name',
  website: 'Website',
  industry: 'Industry',
  location: 'Location',
}
