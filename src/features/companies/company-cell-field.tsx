import { companyFields } from '#domain/fields/companies.ts'
import { FieldDetails } from '#features/fields/index.ts'
import { useOwnFields } from '#features/own-fields/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { type Company, useReadCompaniesAgain, useUpdateCompany } from './queries.ts'

/** A field of a company, edited in its cell as in the details. */
export function CompanyCellField({ company, name }: { company: Company; name: string }) {
  const update = useUpdateCompany()
  const readAgain = useReadCompaniesAgain()
  const { own } = useOwnFields('companies')
  const fields = { ...companyFields, ...own }
  const edited = Object.entries(fields).filter(([each]) => each === name)
  const field = useDetailFields({ record: company, fields, update })
  return (
    <FieldDetails
      fields={Object.fromEntries(edited)}
      record={company}
      field={field}
      onTakeTheirs={readAgain}
    />
  )
}
