import { useState } from 'react'
import { shownDay } from '#domain/dates.ts'
import { companyFields } from '#domain/fields/companies.ts'
import { AddEntryButtons, FieldDetails, LastContacted } from '#features/fields/index.ts'
import { AddFieldButton, useOwnFields } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { FieldFact } from '#ui/field-row.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { type CompanyRecord, useReadCompaniesAgain, useUpdateCompany } from './queries.ts'

/** What is known of a company, edited where it stands. */
export function CompanyDetails({ company }: { company: CompanyRecord }) {
  const update = useUpdateCompany()
  const readAgain = useReadCompaniesAgain()
  const timeZone = useTimeZone()
  const { own } = useOwnFields('companies')
  const fields = { ...companyFields, ...own }
  const field = useDetailFields({ record: company, fields, update })
  const [adding, setAdding] = useState<string | null>(null)
  return (
    <RecordSection title="Details">
      <FieldDetails
        fields={fields}
        record={company}
        field={field}
        onTakeTheirs={readAgain}
        adding={adding}
        onAdded={() => setAdding(null)}
      />
      <LastContacted at={company.last_contacted} />
      <FieldFact label={companyFields.created_at.label}>
        {shownDay(company.created_at, timeZone)}
      </FieldFact>
      <AddEntryButtons fields={companyFields} record={company} adding={adding} onAdd={setAdding} />
      <AddFieldButton record="companies" />
    </RecordSection>
  )
}
