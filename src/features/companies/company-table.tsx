import { type ReactNode, useCallback, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { companyBulkFields, companyBulkSchema } from '#domain/fields/companies.ts'
import { withOwnChanges } from '#domain/fields/own-values.ts'
import { tagsAfter } from '#domain/tags.ts'
import { MergeDialog } from '#features/duplicates/index.ts'
import { openForm } from '#features/forms/index.ts'
import { SetFieldDialog } from '#features/own-fields/index.ts'
import { RecordTable } from '#features/tables/index.ts'
import { TagsDialog } from '#features/tags/index.ts'
import { useListSelection } from '#lib/selection.ts'
import type { UrlChange } from '#lib/url-state.ts'
import type { useList } from '#lib/use-list.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { RowKeys } from '#ui/list-shortcuts.ts'
import { RowButtons } from '#ui/record-rows.tsx'
import { usePreload } from '#ui/use-preload.ts'
import { columnsOf, companyName } from './company-columns.tsx'
import { CompanyListCard, companyListCardHeight } from './company-list-card.tsx'
import {
  type CompanyUrlState,
  type CompanyView,
  companyUrlSchema,
  mostFirst,
} from './company-view.ts'
import {
  type ChosenCompanies,
  type Company,
  useForgetCompanies,
  useUpdateCompanies,
} from './queries.ts'

const CompanyCellField = lazyPart(
  async () => (await import('./company-cell-field.tsx')).CompanyCellField,
  { name: 'The field' },
)

const CompanySelectionBar = lazyPart(
  async () => (await import('./company-selection-bar.tsx')).CompanySelectionBar,
  { name: 'The selection bar' },
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
  const [dialog, setDialog] = useState<CompaniesDialog | null>(null)
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

/** An open dialog with the companies that were selected when it was opened. */
type CompaniesDialog = { kind: 'field' | 'tags' | 'merge'; chosen: ChosenCompanies }

type CompaniesDialogProps = CompaniesDialog & {
  onClose: () => void
  onMerged: (gone: string[]) => void
}

function CompaniesDialog({ kind, chosen, onClose, onMerged }: CompaniesDialogProps) {
  const update = useUpdateCompanies()
  if (kind === 'merge') {
    return (
      <MergeDialog
        kind="companies"
        ids={chosen.filter.ids ?? []}
        onClose={onClose}
        onMerged={(_keep, gone) => onMerged(gone)}
      />
    )
  }
  if (kind === 'tags') {
    return (
      <TagsDialog
        what={counted(chosen.count, 'company', 'companies')}
        onSet={(change) =>
          update({
            ...chosen,
            changes: change,
            shown: ({ tags }) => ({ tags: tagsAfter(tags, change) }),
          })
        }
        onClose={onClose}
      />
    )
  }
  return (
    <SetFieldDialog
      record="companies"
      count={chosen.count}
      onSet={(custom) =>
        update({
          ...chosen,
          changes: { custom },
          shown: (company) => ({ custom: withOwnChanges(company.custom, custom) }),
        })
      }
      beside={{
        fields: companyBulkFields,
        onSet: (typed) => {
          const changes = companyBulkSchema().parse(typed)
          return update({ ...chosen, changes, shown: changes })
        },
      }}
      onClose={onClose}
    />
  )
}
