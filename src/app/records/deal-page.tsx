import { useMemo } from 'react'
import { contactName } from '#domain/contact.ts'
import { peopleOn } from '#domain/deal-people.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { shownMoney } from '#domain/money.ts'
import {
  type Deal,
  DealProgress,
  DealProgressSkeleton,
  dealUrl,
  dealView,
  useDeal,
  useDealNeighbours,
  useRemoveDeal,
} from '#features/deals/index.ts'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { readUrlState } from '#lib/url-state.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ColumnsSkeleton, type RecordKind, RecordPage } from './record-page.tsx'

const dealKind: RecordKind<Deal, ReturnType<typeof useListView>> = {
  name: 'Deal',
  list: 'Deals',
  path: '/app/deals',
  useView: useListView,
  useRecord: useDeal,
  useNeighbours: useDealNeighbours,
  useRemove: useRemoveDeal,
  heading: ({ name, value, currency, company_name }) => ({
    title: name,
    subtitle: [shownMoney(value, currency), company_name].filter(Boolean).join(' · '),
    initials: firstLetter(name),
  }),
  quickTargets(deal) {
    const { main_phone: main } = deal
    const reached = peopleOn(deal).filter(({ name }) => name.email)
    return {
      // Another contact may just have been chosen, whose number is not read yet.
      phone: main && main.contact_id === deal.contact_id ? main.number : null,
      person: deal.contact ? contactName(deal.contact) : undefined,
      email:
        reached.length > 0
          ? { filter: { ids: reached.map(({ id }) => id) }, count: reached.length }
          : null,
      task: { deal: { id: deal.id, name: deal.name } },
      deal: null,
    }
  },
  Progress: DealPageProgress,
  Columns: lazyPart(async () => (await import('./deal-columns.tsx')).DealColumns, {
    loading: () => <ColumnsSkeleton what="deal" />,
    name: 'The details of the deal',
  }),
}

export function DealPage() {
  return <RecordPage kind={dealKind} />
}

function useListView(params: URLSearchParams) {
  const { schema } = useOwnUrl('deals', dealUrl)
  return useMemo(() => {
    const { state } = readUrlState(schema, params)
    // The board shows every stage.
    return dealView(state.view === 'board' ? { ...state, stage: [] } : state)
  }, [schema, params])
}

function DealPageProgress({ record, isGone }: { record: Deal | null; isGone: boolean }) {
  return record ? <DealProgress deal={record} isGone={isGone} /> : <DealProgressSkeleton />
}
