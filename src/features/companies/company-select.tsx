import { companySchema, newCompany } from '#domain/fields/record-forms.ts'
import { type CreatingSelectProps, LinkSelect } from '#features/fields/index.ts'
import { CompanyDialog } from './company-dialog-part.ts'
import { useCompanyChoices, useCreateCompany } from './queries.ts'

/** A field that chooses a company by search. */
export function CompanySelect(props: CreatingSelectProps) {
  const create = useCreateCompany()
  return (
    <LinkSelect
      label="Company"
      placeholder="No company"
      name="company_id"
      useChoices={useCompanyChoices}
      creation={{
        label: 'Create company',
        make(name, id) {
          const { data: values } = companySchema().safeParse({ ...newCompany, name })
          return values ? create({ id, values }) : null
        },
        form: (name, onClose) => (
          <CompanyDialog
            preset={{ name }}
            onClose={onClose}
            onSaved={({ id, name }) => props.onChoose({ id, name })}
          />
        ),
      }}
      {...props}
    />
  )
}
