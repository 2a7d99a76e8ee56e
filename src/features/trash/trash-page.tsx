import { Button, MultiSelect } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { nounOf } from '#domain/change-words.ts'
import { counted } from '#domain/counted.ts'
import { daysInTrash } from '#domain/trash.ts'
import { useUrlChoices, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { LinesSkeleton } from '#ui/day-lines.tsx'
import { ListBody, NoMatch } from '#ui/list-body.tsx'
import { ListScreen } from '#ui/list-screen.tsx'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { NearEnd } from '#ui/near-end.tsx'
import { EmptyState } from '#ui/states.tsx'
import { trashList } from './queries.ts'
import { TrashList } from './trash-list.tsx'
import { type TrashKind, trashKinds, trashUrlSchema, trashView } from './trash-view.ts'
import { useTrashActions } from './use-trash-actions.ts'

/** The trash: restores deleted records or removes them for good. */
export function TrashPage() {
  const { state, setState, noticeFor } = useUrlState(trashUrlSchema)
  const view = useMemo(() => trashView(state), [state])
  const list = useList(trashList, view)
  const { restoreOne, restoreAll, removeOne, empty } = useTrashActions()
  const isFiltered = Object.keys(view.filter).length > 0
  const isEmpty = !isFiltered && !list.isLoading && list.rows.length === 0
  return (
    <ListScreen
      title="Trash"
      subtitle={`Deleted records are kept for ${daysInTrash} days.`}
      back={{ label: 'Settings', to: '/app/settings' }}
      actions={
        !isEmpty && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />}
            onClick={empty}
          >
            Empty trash
          </Button>
        )
      }
      toolbar={<TrashToolbar total={list.shownTotal} />}
      notice={noticeFor('The trash')}
    >
      <ListBody
        list={list}
        name="trash"
        nextName="rest of the trash"
        skeleton={<LinesSkeleton text="Loading trash..." />}
        empty={
          isFiltered ? (
            <NoMatch title="Nothing found" onClear={() => setState({ q: '', kind: [] })} />
          ) : (
            <EmptyState
              title="The trash is empty"
              hint={`Deleted records stay here for ${daysInTrash} days, in case you want them back.`}
            />
          )
        }
      >
        <TrashList
          rows={list.rows}
          onRestore={restoreOne}
          onRestoreAll={restoreAll}
          onRemove={removeOne}
        />
        <NearEnd onNear={list.more.load} />
      </ListBody>
    </ListScreen>
  )
}

const kindNames = trashKinds.map((value) => {
  const { many } = nounOf(value)
  return { value, label: many.charAt(0).toUpperCase() + many.slice(1) }
})

function TrashToolbar({ total }: { total: number | undefined }) {
  const { state, setState: onChange } = useUrlChoices(trashUrlSchema)
  const chips = kindNames.flatMap(({ value, label }) =>
    state.kind.includes(value)
      ? {
          key: value,
          label: 'Kind',
          value: label,
          onRemove: () => onChange({ kind: state.kind.filter((each) => each !== value) }),
        }
      : [],
  )
  return (
    <ListToolbar
      placeholder="Search trash..."
      search={state.q}
      onSearch={(q) => onChange({ q }, { isTyping: true })}
      chips={chips}
      total={total === undefined ? undefined : counted(total, 'record')}
    >
      <FilterPopover count={state.kind.length} onClear={() => onChange({ kind: [] })}>
        <MultiSelect
          label="Kind"
          placeholder={state.kind.length > 0 ? '' : 'Any'}
          data={kindNames}
          value={state.kind}
          onChange={(values) => onChange({ kind: trashKinds.filter(isAmong(values)) })}
          hidePickedOptions
          comboboxProps={{ withinPortal: false, shadow: 'md' }}
        />
      </FilterPopover>
    </ListToolbar>
  )
}

function isAmong(values: string[]): (kind: TrashKind) => boolean {
  return (kind) => values.includes(kind)
}
