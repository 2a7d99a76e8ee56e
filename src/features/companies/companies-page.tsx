import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { errorMessage } from '#lib/errors.ts'
import { refusedNotice, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { CardGrid, CardGridSkeleton } from '#ui/card-grid.tsx'
import { confirmAction } from '#ui/confirm.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { showError } from '#ui/toast.tsx'
import { CompanyCard, companyCardHeight } from './company-card.tsx'
import { CompanyToolbar } from './company-toolbar.tsx'
import { type CompanyView, companyUrlSchema, companyView } from './company-view.ts'
import { lostLinks } from './lost-links.ts'
import {
  type Company,
  companyList,
  readCompany,
  useDeleteCompany,
  useReadCompaniesAgain,
} from './queries.ts'

const loadDialog = () => import('./company-dialog.tsx')
const CompanyDialog = lazy(async () => ({ default: (await loadDialog()).CompanyDialog }))

export function CompaniesPage() {
  const { state, refused, setState } = useUrlState(companyUrlSchema)
  const view = useMemo(() => companyView(state), [state])
  const list = useList(companyList, view)
  // What the form is open for.
  const [form, setForm] = useState<{ company?: Company } | null>(null)
  const removeCompany = useRemoveCompany()
  const add = { onClick: () => setForm({}), onPointerEnter: loadDialog, onFocus: loadDialog }
  return (
    <>
      <ScreenHeader
        title="Companies"
        subtitle="Manage your company relationships"
        actions={
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} {...add}>
            Add Company
          </Button>
        }
      />
      <CompanyToolbar
        state={state}
        onChange={setState}
        total={list.isLoading || list.error ? undefined : list.total}
      />
      <AddressNotice
        notice={refusedNotice(refused, 'Companies')}
        // Written back, the address holds only what means something.
        onDismiss={() => setState({}, { isTyping: true })}
      />
      <CompanyCards
        list={list}
        isFiltered={Object.keys(view.filter).length > 0}
        onClear={() => setState({ q: '', industry: [], location: [] })}
        addButton={<Button {...add}>Add your first company</Button>}
        renderCard={(company) => (
          <CompanyCard
            company={company}
            onEdit={() => setForm({ company })}
            onDelete={() => removeCompany(company)}
            onPointAtEdit={loadDialog}
          />
        )}
      />
      {form && (
        <Suspense>
          <CompanyDialog {...form} onClose={() => setForm(null)} />
        </Suspense>
      )}
    </>
  )
}

type CompanyCardsProps = {
  list: ReturnType<typeof useList<Company, CompanyView>>
  isFiltered: boolean
  onClear: () => void
  addButton: ReactNode
  renderCard: (company: Company) => ReactNode
}

function CompanyCards({ list, isFiltered, onClear, addButton, renderCard }: CompanyCardsProps) {
  if (list.isLoading) {
    return <CardGridSkeleton text="Loading companies..." cardHeight={companyCardHeight} />
  }
  if (list.error) {
    return (
      <ErrorState
        title="The companies could not be loaded"
        message={errorMessage(list.error)}
        onRetry={list.refetch}
      />
    )
  }
  if (list.rows.length === 0 && isFiltered) {
    return (
      <EmptyState
        title="No companies found"
        hint="Nothing matches this search and these filters."
        action={
          <Button variant="default" onClick={onClear}>
            Clear search and filters
          </Button>
        }
      />
    )
  }
  if (list.rows.length === 0) {
    return (
      <EmptyState
        title="No companies yet"
        hint="Keep the people and deals of one organisation together."
        action={addButton}
      />
    )
  }
  return (
    <>
      <CardGrid
        label="Companies"
        items={list.rows}
        total={list.total}
        cardHeight={companyCardHeight}
        renderCard={renderCard}
        onNearEnd={list.more.load}
        isOutdated={list.isOutdated}
      />
      {list.more.isLoading && <LoadingState text="Loading companies..." />}
      {list.more.hasFailed && (
        <ErrorState
          title="The next companies could not be loaded"
          message="Those above are still right."
          onRetry={list.more.retry}
        />
      )}
    </>
  )
}

/** Asks, with what hangs on it, and deletes. */
function useRemoveCompany() {
  const remove = useDeleteCompany()
  const readAgain = useReadCompaniesAgain()
  return async (shown: Company) => {
    // What hangs on it may have changed in another window.
    const company = await readCompany(shown.id).catch(() => shown)
    if (!company) {
      showError('Failed to delete company: This record does not exist any more.')
      readAgain()
      return
    }
    const goAhead = await confirmAction({
      title: `Delete ${company.name}?`,
      body: lostLinks(company),
      confirm: 'Delete',
      isDangerous: true,
    })
    // A failure has been told, and the card is back.
    if (goAhead) await remove(company).catch(() => {})
  }
}
