import { useMemo } from 'react'
import { peopleOn } from '#domain/deal-contacts.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { shownMoney } from '#domain/money.ts'
import {
  type Deal,
  DealContacts,
  DealDetails,
  DealProgress,
  dealUrl,
  dealView,
  useDeal,
  useDealNeighbours,
  useRemoveDeal,
} from '#features/deals/index.ts'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { readUrlState } from '#lib/url-state.ts'
import { type AsideProps, type RecordKind, RecordPage } from './record-page.tsx'

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
      email:
        reached.length > 0
          ? { filter: { ids: reached.map(({ id }) => id) }, count: reached.length }
          : null,
      task: { deal: { id: deal.id, name: deal.name } },
      deal: null,
    }
  },
  Progress: DealPageProgress,
  Aside: DealAside,
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

function DealPageProgress({ record, isGone }: { record: Deal; isGone: boolean }) {
  return <DealProgress deal={record} isGone={isGone} />
}

function DealAside({ id, record, error }: AsideProps<Deal>) {
  if (!record) return null
  return (
    <>
      <DealDetails deal={record} />
      {!error && <DealContacts deal={record} />}
      <RecordTasks record="deal" linked={{ id, name: record.name }} />
    </>
  )
}
