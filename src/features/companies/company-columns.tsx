import { Link } from 'react-router'
import { type CompanyColumn, companyFields, companySorts } from '#domain/fields/companies.ts'
import { shownNumber } from '#domain/figures.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { RecordLink } from '#features/fields/index.ts'
import { type ColumnsOptions, tableColumns } from '#features/tables/index.ts'
import type { Column } from '#ui/data-table.tsx'
import { fromList } from '#ui/from-list.ts'
import classes from './company-columns.module.css'
import type { Company } from './queries.ts'

/** The table's columns: the company itself, and what was chosen. */
export function columnsOf(options: ColumnsOptions<Company, CompanyColumn>): Column<Company>[] {
  return tableColumns(
    {
      record: {
        key: 'company',
        header: 'Company',
        width: 190,
        cell: (company, to) => <CompanyCell company={company} to={to} />,
      },
      fields: companyFields,
      sorts: companySorts,
      edited: ['website', 'industry', 'location'],
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

function CompanyCell({ company, to }: { company: Company; to: string }) {
  return (
    <div className={classes.company}>
      <CompanyAvatar company={company} />
      <Link to={to} state={fromList} data-row-link className={classes.name} title={company.name}>
        <bdi>{company.name}</bdi>
      </Link>
    </div>
  )
}

export function CompanyAvatar({ company }: { company: Company }) {
  return (
    <span className={classes.avatar} aria-hidden>
      {firstLetter(company.name) || '?'}
    </span>
  )
}

/** How many records there are; the way to their list. */
function Count({ of: count, to }: { of: number; to: string }) {
  return <RecordLink to={count > 0 ? to : null} name={shownNumber(count)} />
}
