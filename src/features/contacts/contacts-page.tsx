import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChecklist, IconPencil, IconPlus } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { contactName } from '#domain/contact.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { CollectionsPanel, CreateCollectionDialog } from '#features/collections/index.ts'
import { SendEmailDialog } from '#features/emails/index.ts'
import { openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { filterOf, isSelected, selectedCount, useSelection } from '#lib/selection.ts'
import { refusedNotice, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { CardGrid, CardGridSkeleton } from '#ui/card-grid.tsx'
import { DataTable, DataTableSkeleton, type RowSelection } from '#ui/data-table.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { ContactCard, contactCardHeight } from './contact-card.tsx'
import { columnsOf } from './contact-columns.tsx'
import { ContactSelectionBar } from './contact-selection-bar.tsx'
import { ContactToolbar } from './contact-toolbar.tsx'
import {
  allContacts,
  type ContactUrlState,
  type ContactView,
  contactUrlSchema,
  contactView,
  mostFirst,
} from './contact-view.ts'
import classes from './contacts-page.module.css'
import { type Contact, contactList, useReadContactsAgain } from './queries.ts'

const loadDialog = () => import('./contact-dialog.tsx')
const ContactDialog = lazy(async () => ({ default: (await loadDialog()).ContactDialog }))

export function ContactsPage() {
  const { state, refused, setState } = useUrlState(contactUrlSchema)
  const timeZone = useTimeZone()
  const view = useMemo(() => contactView(state, timeZone), [state, timeZone])
  const list = useList(contactList, view)
  const rowIds = useMemo(() => list.rows.map(({ id }) => id), [list.rows])
  const selected = useSelection(rowIds, view.filter)
  const [dialog, setDialog] = useState<ContactsDialog | null>(null)
  // What the form is open for.
  const [form, setForm] = useState<{ contact?: Contact } | null>(null)
  const readAgain = useReadContactsAgain()
  const navigate = useNavigate()
  const total = list.isLoading || list.error ? undefined : list.total
  const count = selectedCount(selected.selection, list.total ?? rowIds.length)
  const add = { onClick: () => setForm({}), onPointerEnter: loadDialog, onFocus: loadDialog }
  return (
    <>
      <ScreenHeader
        title="Contacts"
        subtitle="Manage your contacts and leads"
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconChecklist size={16} stroke={1.5} aria-hidden />}
              onClick={() => openForm({ form: 'task' })}
            >
              Add Task
            </Button>
            <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} {...add}>
              Add contact
            </Button>
          </>
        }
      />
      <div className={classes.columns}>
        <CollectionsPanel
          chosen={state.collection ?? null}
          onChoose={(id) => setState({ collection: id ?? undefined })}
          onChanged={readAgain}
        />
        <div className={classes.list}>
          <ContactToolbar
            state={state}
            onChange={setState}
            onOpen={(query) => navigate({ search: query })}
            onChanged={readAgain}
            total={total}
          />
          <AddressNotice
            notice={refusedNotice(refused, 'Contacts')}
            // Written back, the address holds only what means something.
            onDismiss={() => setState({}, { isTyping: true })}
          />
          <ContactRows
            list={list}
            state={state}
            onChange={setState}
            selection={{
              isSelected: (id) => isSelected(selected.selection, id),
              loaded: selected.loaded,
              onToggle: selected.toggle,
              onToggleLoaded: selected.toggleLoaded,
            }}
            hasBar={count > 0}
            isFiltered={Object.keys(view.filter).length > 0}
            addButton={<Button {...add}>Add your first contact</Button>}
            onEdit={(contact) => setForm({ contact })}
          />
        </div>
      </div>
      {count > 0 && (
        <ContactSelectionBar
          chosen={{
            filter: filterOf(selected.selection, view.filter),
            count,
            isMeant: ({ id }) => isSelected(selected.selection, id),
          }}
          isEverything={selected.selection.kind === 'all'}
          matching={
            selected.loaded === 'all' && list.total !== undefined && list.total > count
              ? list.total
              : null
          }
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          collectionId={state.collection}
          onChanged={readAgain}
          onDialog={(kind) =>
            setDialog({ kind, count, filter: filterOf(selected.selection, view.filter) })
          }
        />
      )}
      {dialog?.kind === 'collection' && (
        <CreateCollectionDialog {...dialog} onClose={() => setDialog(null)} onDone={readAgain} />
      )}
      {dialog?.kind === 'email' && (
        <SendEmailDialog {...dialog} onClose={() => setDialog(null)} onSent={readAgain} />
      )}
      {form && (
        <Suspense>
          <ContactDialog {...form} onClose={() => setForm(null)} />
        </Suspense>
      )}
    </>
  )
}

/** What is done with contacts that were chosen when it was opened. */
type ContactsDialog = { kind: 'collection' | 'email'; filter: ContactFilter; count: number }

type ContactRowsProps = {
  list: ReturnType<typeof useList<Contact, ContactView>>
  state: ContactUrlState
  onChange: (changes: Partial<ContactUrlState>) => void
  selection: RowSelection
  /** The bar of the selection stands at the foot. */
  hasBar: boolean
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (contact: Contact) => void
}

function ContactRows(props: ContactRowsProps) {
  const { list, onChange, isFiltered, addButton } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  })
  if (list.isLoading) {
    const text = 'Loading contacts...'
    if (isNarrow) return <CardGridSkeleton text={text} cardHeight={contactCardHeight} />
    return <DataTableSkeleton text={text} />
  }
  if (list.error) {
    return (
      <ErrorState
        title="The contacts could not be loaded"
        message={errorMessage(list.error)}
        onRetry={list.refetch}
      />
    )
  }
  if (list.rows.length === 0 && isFiltered) {
    return (
      <EmptyState
        title="No contacts found"
        hint="Nothing matches this search and these filters."
        action={
          <Button variant="default" onClick={() => onChange(allContacts)}>
            Clear search and filters
          </Button>
        }
      />
    )
  }
  if (list.rows.length === 0) {
    return (
      <EmptyState
        title="No contacts yet"
        hint="The people you sell to, with everything you know of them."
        action={addButton}
      />
    )
  }
  return (
    <>
      {isNarrow ? <Cards {...props} /> : <Table {...props} />}
      {list.more.isLoading && isNarrow && <LoadingState text="Loading contacts..." />}
      {list.more.hasFailed && (
        <ErrorState
          title="The next contacts could not be loaded"
          message="Those above are still right."
          onRetry={list.more.retry}
        />
      )}
    </>
  )
}

function Table({ list, state, onChange, selection, hasBar, onEdit }: ContactRowsProps) {
  const { key, search } = useLocation()
  const timeZone = useTimeZone()
  const columns = useMemo(
    () =>
      columnsOf({
        shown: state.col,
        linkTo: ({ id }) => `/app/contacts/${id}${search}`,
        timeZone,
        now: Date.now(),
      }),
    [state.col, search, timeZone],
  )
  const direction = directionOf(state, mostFirst)
  return (
    <DataTable
      label="Contacts"
      rows={list.rows}
      total={list.total}
      columns={columns}
      sort={{ by: state.sort, direction }}
      onSort={(by) => {
        const sort = contactUrlSchema.shape.sort.parse(by)
        const turned = direction === 'asc' ? 'desc' : 'asc'
        onChange({
          sort,
          dir: sort === state.sort ? directionInUrl(sort, turned, mostFirst) : undefined,
        })
      }}
      selection={selection}
      nameOf={contactName}
      renderActions={(contact) => <RowActions contact={contact} onEdit={onEdit} />}
      onNearEnd={list.more.load}
      isOutdated={list.isOutdated}
      placeKey={key}
      foot={hasBar ? 84 : 24}
    />
  )
}

function Cards({ list, selection, onEdit }: ContactRowsProps) {
  const { search } = useLocation()
  return (
    <>
      <Checkbox
        className={classes.selectAll ?? ''}
        label="Select all loaded"
        checked={selection.loaded === 'all'}
        indeterminate={selection.loaded === 'some'}
        onChange={selection.onToggleLoaded}
      />
      <CardGrid
        label="Contacts"
        items={list.rows}
        total={list.total}
        cardHeight={contactCardHeight}
        renderCard={(contact) => (
          <ContactCard
            contact={contact}
            to={`/app/contacts/${contact.id}${search}`}
            isSelected={selection.isSelected(contact.id)}
            onToggle={() => selection.onToggle(contact.id, false)}
            actions={<RowActions contact={contact} onEdit={onEdit} />}
          />
        )}
        onNearEnd={list.more.load}
        isOutdated={list.isOutdated}
      />
    </>
  )
}

type RowActionsProps = { contact: Contact; onEdit: (contact: Contact) => void }

function RowActions({ contact, onEdit }: RowActionsProps) {
  const name = contactName(contact)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="var(--solo-control-height)"
        aria-label={`Add task for ${name}`}
        title="Add task"
        onClick={() => openForm({ form: 'task', contact: { id: contact.id, name } })}
      >
        <IconChecklist size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="var(--solo-control-height)"
        aria-label={`Edit ${name}`}
        title="Edit"
        onClick={() => onEdit(contact)}
        onPointerEnter={loadDialog}
        onFocus={loadDialog}
      >
        <IconPencil size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </>
  )
}
