import { Button, Group } from '@mantine/core'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { counted } from '#domain/counted.ts'
import { withOwnChanges } from '#domain/fields/own-values.ts'
import { tagsAfter } from '#domain/tags.ts'
import { CollectionsPanel, CreateCollectionDialog } from '#features/collections/index.ts'
import { MergeDialog } from '#features/duplicates/index.ts'
import { openComposer, openForm } from '#features/forms/index.ts'
import { SetFieldDialog, useOwnUrl } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { TagsDialog } from '#features/tags/index.ts'
import { useListSelection } from '#lib/selection.ts'
import { useUrlChoices, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { lazyPart, opens } from '#ui/lazy-part.tsx'
import { ListScreen } from '#ui/list-screen.tsx'
import { usePreload } from '#ui/use-preload.ts'
import { ContactDialog } from './contact-dialog-part.ts'
import { ContactRows } from './contact-rows.tsx'
import { ContactToolbar } from './contact-toolbar.tsx'
import { contactUrl, contactUrlSchema, contactView } from './contact-view.ts'
import {
  type Contact,
  contactList,
  useForgetContacts,
  useReadContactsAgain,
  useUpdateContacts,
} from './queries.ts'

const ContactSelectionBar = lazyPart(
  async () => (await import('./contact-selection-bar.tsx')).ContactSelectionBar,
  { name: 'The selection bar' },
)

export function ContactsPage() {
  const { schema } = useOwnUrl('contacts', contactUrl)
  const { state, setState, noticeFor } = useUrlState(schema)
  const timeZone = useTimeZone()
  const view = useMemo(() => contactView(state, timeZone), [state, timeZone])
  const list = useList(contactList, view)
  const selected = useListSelection(list.rows, view.filter, list.total)
  const { chosen, count } = selected
  usePreload(list.rows.length > 0, ContactSelectionBar)
  const [dialog, setDialog] = useState<ContactsDialog | null>(null)
  const [form, setForm] = useState<{ contact?: Contact } | null>(null)
  const edit = useCallback((contact: Contact) => setForm({ contact }), [])
  const readAgain = useReadContactsAgain()
  const forget = useForgetContacts()
  const update = useUpdateContacts()
  const navigate = useNavigate()
  const add = opens(ContactDialog, () => setForm({}))
  return (
    <>
      <ListScreen
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
        panel={<Collections onChanged={readAgain} />}
        toolbar={
          <ContactToolbar
            onOpen={(query) => navigate({ search: query })}
            onChanged={readAgain}
            total={list.shownTotal}
          />
        }
        notice={noticeFor('Contacts')}
      >
        <ContactRows
          list={list}
          total={list.total}
          state={state}
          onChange={setState}
          selection={selected.rowSelection}
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
      </ListScreen>
      {count > 0 && (
        <ContactSelectionBar
          chosen={chosen}
          isEverything={selected.isEverything}
          matching={selected.loaded === 'all' ? selected.matching : null}
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          onRemove={selected.clearFor}
          collectionId={state.collection}
          onChanged={readAgain}
          onDialog={(kind) =>
            kind === 'email'
              ? openComposer({ contacts: { filter: chosen.filter, count }, onSent: readAgain })
              : setDialog({ kind, count, filter: chosen.filter })
          }
        />
      )}
      {dialog?.kind === 'collection' && (
        <CreateCollectionDialog {...dialog} onClose={() => setDialog(null)} onDone={readAgain} />
      )}
      {dialog?.kind === 'field' && (
        <SetFieldDialog
          record="contacts"
          count={dialog.count}
          onSet={(custom) =>
            update({
              ...chosen,
              filter: dialog.filter,
              changes: { custom },
              shown: (contact) => ({ custom: withOwnChanges(contact.custom, custom) }),
            })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'tags' && (
        <TagsDialog
          what={counted(dialog.count, 'contact')}
          onSet={(change) =>
            update({
              ...chosen,
              filter: dialog.filter,
              changes: change,
              shown: ({ tags }) => ({ tags: tagsAfter(tags, change) }),
            })
          }
          onClose={() => setDialog(null)}
        />
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

/** An open dialog with the contacts that were selected when it was opened. */
type ContactsDialog = {
  kind: 'collection' | 'merge' | 'field' | 'tags'
  filter: ContactFilter
  count: number
}
