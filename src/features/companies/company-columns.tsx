import { type CompanyColumn, companyFields, companySorts } from '#domain/fields/companies.ts'
import { shownNumber } from '#domain/figures.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { RecordLink } from '#features/fields/index.ts'
import { type ColumnsOptions, tableColumns } from '#features/tables/index.ts'
import type { Column } from '#ui/data-table.tsx'
import { RecordAvatar, RecordCell } from '#ui/record-cell.tsx'
import type { Company } from './queries.ts'

/** The table's columns: the company itself, and what was chosen. */
export function columnsOf(options: ColumnsOptions<Company, CompanyColumn>): Column<Company>[] {
  return tableColumns(
    {
      record: {
        key: 'company',
        header: 'Company',
        width: 190,
        cell: (company, to) => (
          <RecordCell avatar={<CompanyAvatar company={company} />} name={company.name} to={to} />
        ),
      },
      fields: companyFields,
      sorts: companySorts,
      edited: ['website', 'industry', 'location', 'tags'],
      nameOf: companyName,
      special: {
        contacts: ({ id, contacts }) => <Count of={contacts} to={`/app/contacts?company=${id}`} />,
        open_deals: ({ id, open_deals }) => (
          <Count of={open_deals} to={`/app/deals?view=list&company=${id}`} />
        ),
      },
    },
    options,
  )
}

export const companyName = ({ name }: Company) => name

export function CompanyAvatar({ company }: { company: Company }) {
  return <RecordAvatar text={firstLetter(company.name) || '?'} />
}

/** How many records there are; the way to their list. */
function Count({ of: count, to }: { of: number; to: string }) {
  return <RecordLink to={count > 0 ? to : null} name={shownNumber(count)} />
}
