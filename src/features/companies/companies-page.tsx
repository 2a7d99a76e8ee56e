import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { CardGrid, CardGridSkeleton } from '#ui/card-grid.tsx'
import { lazyPart, opens } from '#ui/lazy-part.tsx'
import { ListBody, NoMatch } from '#ui/list-body.tsx'
import { ListScreen } from '#ui/list-screen.tsx'
import type { RowKeys } from '#ui/list-shortcuts.ts'
import { useRowLink } from '#ui/row-link.ts'
import { EmptyState, LoadingState } from '#ui/states.tsx'
import { CompanyCard, companyCardHeight } from './company-card.tsx'
import { CompanyDialog } from './company-dialog-part.ts'
import { CompanyToolbar } from './company-toolbar.tsx'
import { type CompanyView, companyUrl, companyView, unfiltered } from './company-view.ts'
import { type Company, companyList } from './queries.ts'
import { useRemoveCompany } from './use-remove-company.ts'

const CompanyTable = lazyPart(async () => (await import('./company-table.tsx')).CompanyTable, {
  name: 'The table',
  loading: () => <LoadingState text="Loading companies..." />,
})

export function CompaniesPage() {
  const { schema } = useOwnUrl('companies', companyUrl)
  const { state, setState, noticeFor } = useUrlState(schema)
  const view = useMemo(() => companyView(state), [state])
  const list = useList(companyList, view)
  const linkTo = useRowLink('/app/companies')
  const [form, setForm] = useState<{ company?: Company } | null>(null)
  const edit = useCallback((company: Company) => setForm({ company }), [])
  const removeCompany = useRemoveCompany()
  const navigate = useNavigate()
  const add = opens(CompanyDialog, () => setForm({}))
  const empty =
    Object.keys(view.filter).length > 0 ? (
      <NoMatch title="No companies found" onClear={() => setState({ q: '', ...unfiltered })} />
    ) : (
      <EmptyState
        title="No companies yet"
        hint="See each customer’s people, deals and history in one place."
        action={
          <Group gap="sm" justify="center">
            <Button {...add}>Add your first company</Button>
            <Button component={Link} to="/app/settings/import" variant="default">
              Import companies
            </Button>
          </Group>
        }
      />
    )
  return (
    <>
      <ListScreen
        title="Companies"
        subtitle="Manage your company relationships"
        actions={
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} {...add}>
            Add Company
          </Button>
        }
        toolbar={
          <CompanyToolbar onOpen={(query) => navigate({ search: query })} total={list.shownTotal} />
        }
        notice={noticeFor('Companies')}
      >
        {state.view === 'table' ? (
          <CompanyTable
            list={list}
            view={view}
            state={state}
            onChange={setState}
            empty={empty}
            onEdit={edit}
            onPointAtEdit={CompanyDialog.preload}
            onRemove={removeCompany}
          />
        ) : (
          <CompanyCards
            list={list}
            empty={empty}
            keys={{ onEdit: edit, onRemove: removeCompany }}
            renderCard={(company) => (
              <CompanyCard
                company={company}
                to={linkTo(company)}
                onEdit={() => edit(company)}
                onDelete={() => removeCompany(company)}
                onPointAtEdit={CompanyDialog.preload}
              />
            )}
          />
        )}
      </ListScreen>
      {form && <CompanyDialog {...form} onClose={() => setForm(null)} />}
    </>
  )
}

type CompanyCardsProps = {
  list: ReturnType<typeof useList<Company, CompanyView>>
  empty: ReactNode
  keys: RowKeys<Company>
  renderCard: (company: Company) => ReactNode
}

function CompanyCards({ list, empty, keys, renderCard }: CompanyCardsProps) {
  return (
    <ListBody
      list={list}
      name="companies"
      skeleton={<CardGridSkeleton text="Loading companies..." cardHeight={companyCardHeight} />}
      empty={empty}
    >
      <CardGrid
        label="Companies"
        items={list.rows}
        total={list.total}
        cardHeight={companyCardHeight}
        keys={keys}
        renderCard={renderCard}
        onNearEnd={list.more.load}
        onShown={list.onShown}
        isOutdated={list.isOutdated}
      />
    </ListBody>
  )
}
