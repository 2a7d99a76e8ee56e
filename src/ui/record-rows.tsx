import { useMediaQuery } from '@mantine/hooks'
import { IconChecklist } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { useLocation } from 'react-router'
import { CardGrid, CardGridSkeleton } from './card-grid.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { DataTableSkeleton } from './data-table-skeleton.tsx'
import { EditButton } from './edit-button.tsx'
import { IconButton } from './icon-button.tsx'
import { ListBody } from './list-body.tsx'
import { type CardSelection, SelectLoaded } from './list-card.tsx'
import { selectionKeys } from './list-shortcuts.ts'
import { placeOf } from './place-of.ts'

type RecordRowsProps<Row extends { id: string }> = Omit<
  DataTableProps<Row>,
  'rows' | 'onNearEnd' | 'onShown' | 'isOutdated' | 'placeKey'
> & {
  list: ComponentProps<typeof ListBody>['list'] & {
    rows: Row[]
    isOutdated: boolean
    more: { load: () => void }
    onShown?: (places: number[]) => void
  }
  empty: ReactNode
  cardHeight: number
  renderCard: (row: Row, card: { selection: CardSelection; actions: ReactNode }) => ReactNode
}

/** Records as a table, or as cards where there is no room for one. */
export function RecordRows<Row extends { id: string }>(props: RecordRowsProps<Row>) {
  const { label, list, empty, cardHeight } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  })
  const name = label.toLowerCase()
  const text = `Loading ${name}...`
  return (
    <ListBody
      list={list}
      name={name}
      skeleton={
        isNarrow ? (
          <CardGridSkeleton text={text} cardHeight={cardHeight} />
        ) : (
          <DataTableSkeleton text={text} foot={props.foot} />
        )
      }
      empty={empty}
      hidesLoading={!isNarrow}
    >
      {isNarrow ? <Cards {...props} /> : <Table {...props} />}
    </ListBody>
  )
}

function Table<Row extends { id: string }>(props: RecordRowsProps<Row>) {
  const { list } = props
  return (
    <DataTable
      {...props}
      rows={list.rows}
      onNearEnd={list.more.load}
      onShown={list.onShown}
      isOutdated={list.isOutdated}
      placeKey={placeOf(useLocation())}
    />
  )
}

function Cards<Row extends { id: string }>(props: RecordRowsProps<Row>) {
  const { label, list, total, selection, keys, renderActions, cardHeight, renderCard } = props
  return (
    <>
      <SelectLoaded loaded={selection.loaded} onToggle={selection.onToggleLoaded} />
      <CardGrid
        label={label}
        items={list.rows}
        total={total}
        cardHeight={cardHeight}
        keys={{ ...selectionKeys(selection), ...keys }}
        renderCard={(row) =>
          renderCard(row, {
            selection: {
              isSelected: selection.isSelected(row.id),
              onToggle: () => selection.onToggle(row.id, false),
            },
            actions: renderActions(row),
          })
        }
        onNearEnd={list.more.load}
        onShown={list.onShown}
        isOutdated={list.isOutdated}
      />
    </>
  )
}

type RowButtonsProps = ComponentProps<typeof EditButton> & { onAddTask: () => void }

/** The buttons of a row: add a task, edit. */
export function RowButtons({ name, onAddTask, onEdit, onPointAtEdit }: RowButtonsProps) {
  return (
    <>
      <IconButton aria-label={`Add task for ${name}`} title="Add task" onClick={onAddTask}>
        <IconChecklist size={16} stroke={1.5} aria-hidden />
      </IconButton>
      <EditButton name={name} onEdit={onEdit} onPointAtEdit={onPointAtEdit} />
    </>
  )
}
