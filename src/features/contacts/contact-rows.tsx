import { type ReactNode, useCallback, useMemo } from 'react'
import { contactName } from '#domain/contact.ts'
import { openForm } from '#features/forms/index.ts'
import { useOwnFields } from '#features/own-fields/index.ts'
import { useRememberScreen, useSeenScreens, useTimeZone } from '#features/preferences/index.ts'
import { directionOf, pressedSort } from '#lib/list-sort.ts'
import type { UrlChange } from '#lib/url-state.ts'
import type { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { CellEditor, useEditedCells } from '#ui/cell-editor.tsx'
import type { RowSelection } from '#ui/data-table.tsx'
import { NoMatch } from '#ui/list-body.tsx'
import { RecordRows, RowButtons } from '#ui/record-rows.tsx'
import { useRowLink } from '#ui/row-link.ts'
import { EmptyState } from '#ui/states.tsx'
import { ContactCard, contactCardHeight } from './contact-card.tsx'
import { ContactCellField } from './contact-cell-field.tsx'
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
  /** Whether the selection bar is shown. */
  hasBar: boolean
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (contact: Contact) => void
  onPointAtEdit: () => void
}

/** The contacts as a table, or as cards where there is no room for one. */
export function ContactRows(props: ContactRowsProps) {
  const { list, state, onChange, selection, hasBar, isFiltered } = props
  const { addButton, onEdit, onPointAtEdit } = props
  const { widths } = useSeenScreens()('contacts')
  const remember = useRememberScreen('contacts')
  const linkTo = useRowLink('/app/contacts')
  const timeZone = useTimeZone()
  const now = useNow()
  const remove = useDeleteContact()
  const { own } = useOwnFields('contacts')
  const { cells, begin, end } = useEditedCells()
  const columns = useMemo(
    () => columnsOf({ shown: state.col, own, linkTo, onEditCell: begin, timeZone, now }),
    [state.col, own, linkTo, begin, timeZone, now],
  )
  const renderActions = useCallback(
    (contact: Contact) => {
      const name = contactName(contact)
      return (
        <RowButtons
          name={name}
          onAddTask={() => openForm({ form: 'task', contact: { id: contact.id, name } })}
          onEdit={() => onEdit(contact)}
          onPointAtEdit={onPointAtEdit}
        />
      )
    },
    [onEdit, onPointAtEdit],
  )
  return (
    <>
      <RecordRows
        label="Contacts"
        list={list}
        total={list.total}
        empty={
          isFiltered ? (
            <NoMatch title="No contacts found" onClear={() => onChange(allContacts)} />
          ) : (
            <EmptyState
              title="No contacts yet"
              hint="See every call, email and deal with a person in one place."
              action={addButton}
            />
          )
        }
        columns={columns}
        widths={widths}
        onWidths={(now) => remember({ widths: now })}
        sort={{ by: state.sort, direction: directionOf(state, mostFirst) }}
        onSort={(by) => {
          const sort = contactUrlSchema.shape.sort.parse(by)
          onChange((current) => pressedSort(sort, current, mostFirst))
        }}
        selection={selection}
        // The mutation reports a failure and restores the row.
        keys={{ onEdit, onRemove: (contact) => void remove(contact).catch(() => {}) }}
        nameOf={contactName}
        renderActions={renderActions}
        foot={hasBar ? 84 : 24}
        cardHeight={contactCardHeight}
        renderCard={(contact, card) => (
          <ContactCard contact={contact} to={linkTo(contact)} {...card} />
        )}
      />
      {cells.map((cell) => {
        const row = list.rows.find(({ id }) => id === cell.id)
        return (
          row && (
            <CellEditor key={cell.key} cell={cell} onEnd={end}>
              <ContactCellField contact={row} name={cell.name} />
            </CellEditor>
          )
        )
      })}
    </>
  )
}
