import { Button, Group } from '@mantine/core'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { CollectionsPanel, CreateCollectionDialog } from '#features/collections/index.ts'
import { MergeDialog } from '#features/duplicates/index.ts'
import { SendEmailDialog } from '#features/emails/index.ts'
import { openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { filterOf, isSelected, selectedCount, useSelection } from '#lib/selection.ts'
import { refusedNotice, useUrlChoices, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ContactDialog } from './contact-dialog-part.ts'
import { ContactRows } from './contact-rows.tsx'
import { ContactSelectionBar } from './contact-selection-bar.tsx'
import { ContactToolbar } from './contact-toolbar.tsx'
import { contactUrlSchema, contactView } from './contact-view.ts'
import classes from './contacts-page.module.css'
import { type Contact, contactList, useForgetContacts, useReadContactsAgain } from './queries.ts'

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
  const edit = useCallback((contact: Contact) => setForm({ contact }), [])
  const readAgain = useReadContactsAgain()
  const forget = useForgetContacts()
  const navigate = useNavigate()
  const total = list.isLoading || list.problem ? undefined : list.total
  const count = selectedCount(selected.selection, list.total ?? rowIds.length)
  const add = {
    onClick: () => setForm({}),
    onPointerEnter: ContactDialog.preload,
    onFocus: ContactDialog.preload,
  }
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
        <Collections onChanged={readAgain} />
        <div className={classes.list}>
          <ContactToolbar
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
            addButton={
              <Group gap="sm" justify="center">
                <Button {...add}>Add your first contact</Button>
                <Button component={Link} to="/app/settings/import" variant="default">
                  Import contacts
                </Button>
              </Group>
            }
            onEdit={edit}
            onPointAtEdit={ContactDialog.preload}
          />
        </div>
      </div>
      {count > 0 && (
        <ContactSelectionBar
          chosen={{
            filter: filterOf(selected.selection, view.filter),
            count,
            matches: ({ id }) => isSelected(selected.selection, id),
          }}
          isEverything={selected.selection.kind === 'all'}
          matching={
            selected.loaded === 'all' && list.total !== undefined && list.total > count
              ? list.total
              : null
          }
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          onRemove={selected.clearFor}
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
      {dialog?.kind === 'merge' && (
        <MergeDialog
          kind="contacts"
          ids={dialog.filter.ids ?? []}
          onClose={() => setDialog(null)}
          onMerged={(_keep, gone) => {
            selected.clear()
            forget(gone)
          }}
        />
      )}
      {form && <ContactDialog {...form} onClose={() => setForm(null)} />}
    </>
  )
}

function Collections({ onChanged }: { onChanged: () => void }) {
  const { state, setState } = useUrlChoices(contactUrlSchema)
  return (
    <CollectionsPanel
      chosen={state.collection ?? null}
      onChoose={(id) => setState({ collection: id ?? undefined })}
      onChanged={onChanged}
    />
  )
}

/** What is done with contacts that were chosen when it was opened. */
type ContactsDialog = {
  kind: 'collection' | 'email' | 'merge'
  filter: ContactFilter
  count: number
}
