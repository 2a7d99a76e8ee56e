import { companySchema, safeLink, shownWebsite } from '#domain/company.ts'
import { shownDay } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { EditableField } from '#ui/editable-field.tsx'
import { FieldFact } from '#ui/field-row.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { companyTexts } from './company-texts.ts'
import { type Company, useReadCompaniesAgain, useUpdateCompany } from './queries.ts'

/** What is known of a company, edited where it stands. */
export function CompanyDetails({ company }: { company: Company }) {
  const update = useUpdateCompany()
  const readAgain = useReadCompaniesAgain()
  const timeZone = useTimeZone()
  const field = useDetailFields({
    record: company,
    schema: companySchema,
    textsOf: companyTexts,
    update,
  })
  return (
    <RecordSection title="Details">
      <EditableField label="Company Name" {...field('name')} onTakeTheirs={readAgain} />
      <EditableField
        label="Website"
        type="url"
        placeholder="https://acme.com"
        {...field('website')}
        href={safeLink(company.website)}
        shown={shownWebsite(company.website ?? '')}
        canCopy
        onTakeTheirs={readAgain}
      />
      <EditableField label="Industry" {...field('industry')} onTakeTheirs={readAgain} />
      <EditableField label="Location" {...field('location')} onTakeTheirs={readAgain} />
      <FieldFact label="Created">{shownDay(company.created_at, timeZone)}</FieldFact>
    </RecordSection>
  )
}
