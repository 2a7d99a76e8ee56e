import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChecklist, IconPencil } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useLocation } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import type { UrlChange } from '#lib/url-state.ts'
import type { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { CardGrid, CardGridSkeleton } from '#ui/card-grid.tsx'
import { DataTable, DataTableSkeleton, type RowSelection } from '#ui/data-table.tsx'
import { ListBody, NoMatch } from '#ui/list-body.tsx'
import { SelectLoaded } from '#ui/list-card.tsx'
import { type RowKeys, selectionKeys } from '#ui/list-shortcuts.ts'
import { placeOf } from '#ui/place-of.ts'
import { EmptyState } from '#ui/states.tsx'
import { ContactCard, contactCardHeight } from './contact-card.tsx'
import { columnsOf } from './contact-columns.tsx'
import {
  allContacts,
  type ContactUrlState,
  type ContactView,
  contactUrlSchema,
  mostFirst,
} from './contact-view.ts'
import { type Contact, useDeleteContact } from './queries.ts'

type ContactRowsProps = {
  list: ReturnType<typeof useList<Contact, ContactView>>
  state: ContactUrlState
  onChange: (change: UrlChange<ContactUrlState>) => void
  selection: RowSelection
  /** The bar of the selection stands at the foot. */
  hasBar: boolean
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (contact: Contact) => void
  /** The user is about to open the form. */
  onPointAtEdit: () => void
}

/** The contacts as a table, or as cards where there is no room for one. */
export function ContactRows(props: ContactRowsProps) {
  const { list, onChange, isFiltered, addButton } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  })
  const text = 'Loading contacts...'
  return (
    <ListBody
      list={list}
      name="contacts"
      skeleton={
        isNarrow ? (
          <CardGridSkeleton text={text} cardHeight={contactCardHeight} />
        ) : (
          <DataTableSkeleton text={text} />
        )
      }
      empty={
        isFiltered ? (
          <NoMatch title="No contacts found" onClear={() => onChange(allContacts)} />
        ) : (
          <EmptyState
            title="No contacts yet"
            hint="The people you sell to, with everything you know of them."
            action={addButton}
          />
        )
      }
      hidesLoading={!isNarrow}
    >
      {isNarrow ? <Cards {...props} /> : <Table {...props} />}
    </ListBody>
  )
}

function Table(props: ContactRowsProps) {
  const { list, state, onChange, selection, hasBar, onEdit, onPointAtEdit } = props
  const location = useLocation()
  const { search } = location
  const keys = useContactKeys(props)
  const timeZone = useTimeZone()
  const now = useNow()
  const columns = useMemo(
    () =>
      columnsOf({
        shown: state.col,
        linkTo: ({ id }) => `/app/contacts/${id}${search}`,
        timeZone,
        now,
      }),
    [state.col, search, timeZone, now],
  )
  const renderActions = useCallback(
    (contact: Contact) => <RowActions {...{ contact, onEdit, onPointAtEdit }} />,
    [onEdit, onPointAtEdit],
  )
  return (
    <DataTable
      label="Contacts"
      rows={list.rows}
      total={list.total}
      columns={columns}
      sort={{ by: state.sort, direction: directionOf(state, mostFirst) }}
      onSort={(by) => {
        const sort = contactUrlSchema.shape.sort.parse(by)
        onChange((now) => {
          if (sort !== now.sort) return { sort, dir: undefined }
          const turned = directionOf(now, mostFirst) === 'asc' ? 'desc' : 'asc'
          return { dir: directionInUrl(sort, turned, mostFirst) }
        })
      }}
      selection={selection}
      keys={keys}
      nameOf={contactName}
      renderActions={renderActions}
      onNearEnd={list.more.load}
      isOutdated={list.isOutdated}
      placeKey={placeOf(location)}
      foot={hasBar ? 84 : 24}
    />
  )
}

function Cards(props: ContactRowsProps) {
  const { list, selection } = props
  const { search } = useLocation()
  const keys = useContactKeys(props)
  return (
    <>
      <SelectLoaded loaded={selection.loaded} onToggle={selection.onToggleLoaded} />
      <CardGrid
        label="Contacts"
        items={list.rows}
        total={list.total}
        cardHeight={contactCardHeight}
        keys={{ ...selectionKeys(selection), ...keys }}
        renderCard={(contact) => (
          <ContactCard
            contact={contact}
            to={`/app/contacts/${contact.id}${search}`}
            selection={{
              isSelected: selection.isSelected(contact.id),
              onToggle: () => selection.onToggle(contact.id, false),
            }}
            actions={<RowActions contact={contact} {...props} />}
          />
        )}
        onNearEnd={list.more.load}
        isOutdated={list.isOutdated}
      />
    </>
  )
}

function useContactKeys({ onEdit }: Pick<ContactRowsProps, 'onEdit'>): RowKeys<Contact> {
  const remove = useDeleteContact()
  // A failure has been told, and the row is back.
  return { onEdit, onRemove: (contact) => void remove(contact).catch(() => {}) }
}

type RowActionsProps = { contact: Contact } & Pick<ContactRowsProps, 'onEdit' | 'onPointAtEdit'>

function RowActions({ contact, onEdit, onPointAtEdit }: RowActionsProps) {
  const name = contactName(contact)
  return (
    <>
      <ActionIcon
        aria-label={`Add task for ${name}`}
        title="Add task"
        onClick={() => openForm({ form: 'task', contact: { id: contact.id, name } })}
      >
        <IconChecklist size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={`Edit ${name}`}
        title="Edit"
        onClick={() => onEdit(contact)}
        onPointerEnter={onPointAtEdit}
        onFocus={onPointAtEdit}
      >
        <IconPencil size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </>
  )
}
