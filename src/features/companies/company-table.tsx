import { type ReactNode, useCallback, useState } from 'react'
import { openForm } from '#features/forms/index.ts'
import { RecordTable } from '#features/tables/index.ts'
import { useListSelection } from '#lib/selection.ts'
import type { UrlChange } from '#lib/url-state.ts'
import type { useList } from '#lib/use-list.ts'
import { lazyPart, openedPart } from '#ui/lazy-part.tsx'
import type { RowKeys } from '#ui/list-shortcuts.ts'
import { RowButtons } from '#ui/record-rows.tsx'
import { usePreload } from '#ui/use-preload.ts'
import type { OpenDialog } from './companies-dialog.tsx'
import { columnsOf, companyName } from './company-columns.tsx'
import { CompanyListCard, companyListCardHeight } from './company-list-card.tsx'
import {
  type CompanyUrlState,
  type CompanyView,
  companyUrlSchema,
  mostFirst,
} from './company-view.ts'
import { type Company, useForgetCompanies } from './queries.ts'

const CompanyCellField = lazyPart(
  async () => (await import('./company-cell-field.tsx')).CompanyCellField,
  { name: 'The field' },
)

const CompanySelectionBar = lazyPart(
  async () => (await import('./company-selection-bar.tsx')).CompanySelectionBar,
  { name: 'The selection bar' },
)

const CompaniesDialog = openedPart(
  async () => (await import('./companies-dialog.tsx')).CompaniesDialog,
)

type CompanyTableProps = {
  list: ReturnType<typeof useList<Company, CompanyView>>
  view: CompanyView
  state: CompanyUrlState
  onChange: (change: UrlChange<CompanyUrlState>) => void
  empty: ReactNode
  onEdit: (company: Company) => void
  onPointAtEdit: () => void
  onRemove: (company: Company) => void
}

/** The companies as a table, with what can be done to those that are selected. */
export function CompanyTable(props: CompanyTableProps) {
  const { list, view, state, onChange, empty, onEdit, onPointAtEdit, onRemove } = props
  const selected = useListSelection(list.rows, view.filter, list.total)
  const { chosen, count } = selected
  usePreload(list.rows.length > 0, CompanyCellField, CompanySelectionBar)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const forget = useForgetCompanies()
  const keys: RowKeys<Company> = { onEdit, onRemove }
  const renderActions = useCallback(
    (company: Company) => (
      <RowButtons
        name={company.name}
        onAddTask={() =>
          openForm({ form: 'task', company: { id: company.id, name: company.name } })
        }
        onEdit={() => onEdit(company)}
        onPointAtEdit={onPointAtEdit}
      />
    ),
    [onEdit, onPointAtEdit],
  )
  return (
    <>
      <RecordTable
        screen="companies"
        label="Companies"
        list={list}
        total={list.total}
        empty={empty}
        shown={state.col}
        onShown={onChange}
        columnsOf={columnsOf}
        sorted={state}
        sortOf={(by) => companyUrlSchema.shape.sort.parse(by)}
        mostFirst={mostFirst}
        onSorted={onChange}
        selection={selected.rowSelection}
        keys={keys}
        nameOf={companyName}
        renderActions={renderActions}
        foot={count > 0 ? 84 : 24}
        cardHeight={companyListCardHeight}
        renderCard={(company, card) => <CompanyListCard company={company} {...card} />}
        renderCellField={(company, name) => <CompanyCellField company={company} name={name} />}
      />
      {count > 0 && (
        <CompanySelectionBar
          chosen={chosen}
          view={view}
          isEverything={selected.isEverything}
          matching={selected.loaded === 'all' ? selected.matching : null}
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          onRemove={selected.clearFor}
          onDialog={(kind) => setDialog({ kind, chosen })}
        />
      )}
      {dialog && (
        <CompaniesDialog
          {...dialog}
          onClose={() => setDialog(null)}
          onMerged={(gone) => {
            selected.clear()
            forget(gone)
          }}
        />
      )}
    </>
  )
}
