import { useCallback } from 'react'
import { contactName } from '#domain/contact.ts'
import { openForm } from '#features/forms/index.ts'
import { type RecordListProps, RecordTable } from '#features/tables/index.ts'
import { useNow } from '#lib/use-now.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { NoMatch } from '#ui/list-body.tsx'
import { RowButtons } from '#ui/record-rows.tsx'
import { EmptyState } from '#ui/states.tsx'
import { usePreload } from '#ui/use-preload.ts'
import { ContactCard, contactCardHeight } from './contact-card.tsx'
import { type ContactColumnsOptions, columnsOf } from './contact-columns.tsx'
import { allContacts, type ContactUrlState, contactUrlSchema, mostFirst } from './contact-view.ts'
import { type Contact, useDeleteContact } from './queries.ts'

const ContactCellField = lazyPart(
  async () => (await import('./contact-cell-field.tsx')).ContactCellField,
  { name: 'The field' },
)

type ContactRowsProps = RecordListProps<Contact, ContactUrlState> & { total: number | undefined }

/** The contacts as a table, or as cards where there is no room for one. */
export function ContactRows(props: ContactRowsProps) {
  const { list, total, state, onChange, selection, hasBar, isFiltered } = props
  const { addButton, onEdit, onPointAtEdit } = props
  usePreload(list.rows.length > 0, ContactCellField)
  const now = useNow()
  const remove = useDeleteContact()
  const columns = useCallback((options: ContactColumnsOptions) => columnsOf(options, now), [now])
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
    <RecordTable
      screen="contacts"
      label="Contacts"
      list={list}
      total={total}
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
      shown={state.col}
      onShown={onChange}
      columnsOf={columns}
      sorted={state}
      sortOf={(by) => contactUrlSchema.shape.sort.parse(by)}
      mostFirst={mostFirst}
      onSorted={onChange}
      selection={selection}
      // The mutation reports a failure and restores the row.
      keys={{ onEdit, onRemove: (contact) => void remove(contact).catch(() => {}) }}
      nameOf={contactName}
      renderActions={renderActions}
      foot={hasBar ? 84 : 24}
      cardHeight={contactCardHeight}
      renderCard={(contact, card) => <ContactCard contact={contact} {...card} />}
      renderCellField={(contact, name) => <ContactCellField contact={contact} name={name} />}
    />
  )
}
