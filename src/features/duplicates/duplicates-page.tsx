import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod/mini'
import { shownNumber } from '#domain/figures.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { ListBody } from '#ui/list-body.tsx'
import { NearEnd } from '#ui/near-end.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { EmptyState, LoadingState } from '#ui/states.tsx'
import { DuplicateCard } from './duplicate-card.tsx'
import classes from './duplicates.module.css'
import { type Kind, kindOf, kinds } from './kinds.ts'
import { MergeDialog } from './merge-dialog-part.ts'
import {
  type DuplicateGroup,
  duplicateLists,
  groupView,
  useDuplicateCounts,
  useMarkNotDuplicates,
} from './queries.ts'

const NotDuplicatesDialog = openedPart(
  async () => (await import('./not-duplicates-dialog.tsx')).NotDuplicatesDialog,
)

const urlSchema = z.object({ kind: z._default(z.enum(kinds), 'contacts') })

/** /app/settings/duplicates: likely duplicates, to merge or to mark as different. */
export function DuplicatesPage() {
  const { state, setState } = useUrlState(urlSchema)
  const { kind } = state
  const list = useList(duplicateLists[kind], groupView)
  const counts = useDuplicateCounts(!list.isLoading)
  const markNotDuplicates = useMarkNotDuplicates(kind)
  const [merging, setMerging] = useState<DuplicateGroup | null>(null)
  const [isListing, setIsListing] = useState(false)
  return (
    <div className={classes.page}>
      <ScreenHeader
        title="Duplicates"
        subtitle="Find and merge records that look the same"
        back={{ label: 'Settings', to: '/app/settings' }}
        actions={
          <Button variant="default" onClick={() => setIsListing(true)}>
            Marked as not duplicates
          </Button>
        }
      />
      <Tabs
        value={kind}
        onChange={(tab) => tab && setState({ kind: urlSchema.parse({ kind: tab }).kind })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {kinds.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {tabName(each, counts.data?.[each])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={kind} tabIndex={-1}>
          <ListBody
            list={list}
            name="duplicates"
            skeleton={<LoadingState text="Looking for duplicates..." />}
            empty={<NothingFound kind={kind} />}
          >
            <div className={classes.groups}>
              {list.rows.map((group) => (
                <DuplicateCard
                  key={group.id}
                  kind={kind}
                  group={group}
                  onMerge={() => setMerging(group)}
                  onPointAtMerge={MergeDialog.preload}
                  // The mutation reports a failure and rolls back.
                  onMarkNotDuplicates={() => markNotDuplicates(group).catch(() => {})}
                />
              ))}
            </div>
            <NearEnd onNear={list.more.load} />
          </ListBody>
        </Tabs.Panel>
      </Tabs>
      {merging && (
        <MergeDialog
          kind={kind}
          ids={merging.records.map(({ id }) => id)}
          known={merging.records}
          onClose={() => setMerging(null)}
        />
      )}
      {isListing && <NotDuplicatesDialog kind={kind} onClose={() => setIsListing(false)} />}
    </div>
  )
}

function tabName(kind: Kind, count: number | undefined): string {
  const { name } = kindOf[kind]
  return count === undefined ? name : `${name} (${shownNumber(count)})`
}

function NothingFound({ kind }: { kind: Kind }) {
  const { many } = kindOf[kind]
  return (
    <EmptyState
      title={`No duplicate ${many} found`}
      hint={
        kind === 'contacts'
          ? 'No two contacts share an email address, a profile link, a phone number or a name.'
          : 'No two companies share a website, an email address, a phone number or a name.'
      }
    />
  )
}
