import { Menu } from '@mantine/core'
import {
  IconAddressBook,
  IconArrowMerge,
  IconDownload,
  IconFolderPlus,
  IconForms,
  IconMail,
  IconTableExport,
  IconTag,
  IconTags,
  IconTrash,
} from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { leadStatuses } from '#domain/fields/contacts.ts'
import { shownNumber } from '#domain/figures.ts'
import { AddToCollectionMenu, RemoveFromCollectionButton } from '#features/collections/index.ts'
import { mostAtOnce } from '#features/duplicates/index.ts'
import { useOwnFields } from '#features/own-fields/index.ts'
import { TagsDialog } from '#features/tags/index.ts'
import { confirmDeleteAll } from '#ui/confirm.tsx'
import { opens } from '#ui/lazy-part.tsx'
import { removesSelection } from '#ui/list-shortcuts.ts'
import { SelectionAction, SelectionBar, SelectionMenu } from '#ui/selection-bar.tsx'
import { type ChosenContacts, useDeleteContacts, useUpdateContacts } from './queries.ts'
import { SetCompanyButton } from './set-company-button.tsx'
import { useExportAllFields, useExportContacts, useExportVcards } from './use-export-contacts.ts'

type ContactSelectionBarProps = {
  chosen: ChosenContacts
  /** How many match, where more match than are selected. */
  matching: number | null
  onSelectAll: () => void
  onClear: () => void
  /** Clears the selection for the write, and restores it when the write fails. */
  onRemove: (write: Promise<unknown>) => void
  /** Whether everything that matches is selected, loaded or not. */
  isEverything: boolean
  /** The collection that the list is filtered by. */
  collectionId: string | undefined
  onChanged: () => void
  /** Opens a dialog, which the page holds, because this bar unmounts with the selection. */
  onDialog: (dialog: 'collection' | 'email' | 'merge' | 'field' | 'tags') => void
}

const small = { size: 16, stroke: 1.5, 'aria-hidden': true } as const

/** What can be done to the contacts that are selected. */
export function ContactSelectionBar(props: ContactSelectionBarProps) {
  const { chosen, matching, onSelectAll, onClear, onRemove, isEverything } = props
  const { collectionId, onChanged, onDialog } = props
  const { filter, count } = chosen
  const update = useUpdateContacts()
  const remove = useDeleteContacts()
  const { isExporting: isExportingContacts, exportContacts } = useExportContacts()
  const { isExporting: isExportingAll, exportAllFields } = useExportAllFields()
  const { isExporting: isExportingVcards, exportVcards } = useExportVcards()
  const isExporting = isExportingContacts || isExportingAll || isExportingVcards
  const { own } = useOwnFields('contacts')

  async function removeChosen(): Promise<void> {
    if (isEverything && !(await confirmDeleteAll(counted(count, 'contact')))) return
    onRemove(remove(chosen))
  }

  return (
    <SelectionBar
      count={shownNumber(count)}
      matching={matching === null ? null : shownNumber(matching)}
      onSelectAll={onSelectAll}
      onClear={onClear}
    >
      <AddToCollectionMenu filter={filter} count={count} onDone={onChanged} />
      <SelectionAction icon={IconFolderPlus} onClick={() => onDialog('collection')}>
        Create new collection
      </SelectionAction>
      {collectionId && (
        <RemoveFromCollectionButton
          collectionId={collectionId}
          filter={filter}
          count={count}
          onDone={() => {
            onClear()
            onChanged()
          }}
        />
      )}
      <SelectionAction isCommon icon={IconMail} onClick={() => onDialog('email')}>
        Send email
      </SelectionAction>
      <SelectionMenu button={<SelectionAction icon={IconTag}>Set lead status</SelectionAction>}>
        {leadStatuses.map((lead_status) => (
          <Menu.Item
            key={lead_status}
            onClick={() =>
              update({ ...chosen, changes: { lead_status }, shown: { lead_status } }).catch(
                () => {},
              )
            }
          >
            {lead_status}
          </Menu.Item>
        ))}
      </SelectionMenu>
      <SetCompanyButton
        onSet={(company) => {
          const company_id = company?.id ?? null
          const shown = { company_id, company_name: company?.name ?? null }
          update({ ...chosen, changes: { company_id }, shown }).catch(() => {})
        }}
      />
      <SelectionAction isCommon icon={IconTags} {...opens(TagsDialog, () => onDialog('tags'))}>
        Tags
      </SelectionAction>
      {Object.keys(own).length > 0 && (
        <SelectionAction icon={IconForms} onClick={() => onDialog('field')}>
          Set field
        </SelectionAction>
      )}
      {!isEverything && count > 1 && count <= mostAtOnce && (
        <SelectionAction icon={IconArrowMerge} onClick={() => onDialog('merge')}>
          Merge
        </SelectionAction>
      )}
      <SelectionMenu
        button={
          <SelectionAction icon={IconDownload} disabled={isExporting}>
            {isExporting ? 'Exporting...' : 'Export selected'}
          </SelectionAction>
        }
      >
        <Menu.Item leftSection={<IconDownload {...small} />} onClick={() => exportContacts(filter)}>
          Export contacts
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTableExport {...small} />}
          onClick={() => exportAllFields(filter)}
        >
          Export all fields
        </Menu.Item>
        <Menu.Item
          leftSection={<IconAddressBook {...small} />}
          onClick={() => exportVcards(filter, '3.0')}
        >
          Export vCard 3.0, for most programs
        </Menu.Item>
        <Menu.Item
          leftSection={<IconAddressBook {...small} />}
          onClick={() => exportVcards(filter, '4.0')}
        >
          Export vCard 4.0
        </Menu.Item>
      </SelectionMenu>
      <SelectionAction
        isCommon
        isDangerous
        icon={IconTrash}
        onClick={removeChosen}
        {...removesSelection}
      >
        Delete selected
      </SelectionAction>
    </SelectionBar>
  )
}
