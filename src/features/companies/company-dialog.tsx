import { SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type CompanyInput, companySchema, newCompany } from '#domain/company.ts'
import { newId } from '#lib/new-id.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { VersionConflict } from '#ui/version-conflict.tsx'
import {
  type Company,
  CompanyConflict,
  useCreateCompany,
  useReadCompaniesAgain,
  useUpdateCompany,
} from './queries.ts'

type CompanyDialogProps = {
  /** What is edited; nothing for a new one. */
  company?: Company
  onClose: () => void
}

/** 'Add Company' and 'Edit Company'. */
export function CompanyDialog({ company, onClose }: CompanyDialogProps) {
  const create = useCreateCompany()
  const update = useUpdateCompany()
  const readAgain = useReadCompaniesAgain()
  // One for all tries, so that a lost answer never makes two companies.
  const [id] = useState(newId)
  const [seen, setSeen] = useState(company)
  const [other, setOther] = useState<Company | null>(null)
  const { form, element, isSaving, submit } = useRecordForm({
    schema: companySchema,
    initialValues: company ? inputOf(company) : newCompany,
    async save(values) {
      try {
        await (seen ? update({ seen, values }) : create({ id, values }))
        onClose()
      } catch (error) {
        if (!(error instanceof CompanyConflict)) throw error
        setOther(error.current)
        // The next save is over the version that the user is now shown.
        setSeen(error.current)
      }
    },
  })
  return (
    <FormDialog
      title={company ? 'Edit Company' : 'Add Company'}
      submitLabel={submitLabel(Boolean(company), other !== null)}
      isDirty={form.isDirty()}
      isSaving={isSaving}
      onSubmit={submit}
      onClose={onClose}
      formRef={element}
    >
      {other && (
        <VersionConflict
          fields={fields}
          mine={form.values}
          theirs={inputOf(other)}
          onTakeTheirs={() => {
            readAgain()
            onClose()
          }}
        />
      )}
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
    </FormDialog>
  )
}

const fields = {
  name: 'Company Name',
  website: 'Website',
  industry: 'Industry',
  location: 'Location',
}

function inputOf({ name, website, industry, location }: Company): CompanyInput {
  return {
    name,
    website: website ?? '',
    industry: industry ?? '',
    location: location ?? '',
  }
}

function submitLabel(isThere: boolean, hasConflict: boolean): string {
  if (hasConflict) return 'Overwrite with mine'
  return isThere ? 'Save Changes' : 'Add Company'
}
