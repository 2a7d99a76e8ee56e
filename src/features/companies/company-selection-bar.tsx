import {
  IconArrowMerge,
  IconForms,
  IconMail,
  IconTableExport,
  IconTags,
  IconTrash,
} from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { mostAtOnce } from '#features/duplicates/index.ts'
import { openComposer } from '#features/forms/index.ts'
import { SetFieldDialog } from '#features/own-fields/index.ts'
import { TagsDialog } from '#features/tags/index.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { opens } from '#ui/lazy-part.tsx'
import { removesSelection } from '#ui/list-shortcuts.ts'
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx'
import type { CompanyView } from './company-view.ts'
import { type ChosenCompanies, useDeleteCompanies } from './queries.ts'
import { useExportCompanies } from './use-export-companies.ts'

type CompanySelectionBarProps = {
  chosen: ChosenCompanies
  /** The view of the list, for exports. */
  view: CompanyView
  /** How many match, where more match than are selected. */
  matching: number | null
  onSelectAll: () => void
  onClear: () => void
  /** Clears the selection for the write, and restores it when the write fails. */
  onRemove: (write: Promise<unknown>) => void
  /** Whether everything that matches is selected, loaded or not. */
  isEverything: boolean
  /** Opens a dialog, which the table holds, because this bar unmounts with the selection. */
  onDialog: (dialog: 'field' | 'tags' | 'merge') => void
}

/** What can be done to the companies that are selected. */
export function CompanySelectionBar(props: CompanySelectionBarProps) {
  const { chosen, view, matching, onSelectAll, onClear, onRemove, isEverything, onDialog } = props
  const { filter, count } = chosen
  const remove = useDeleteCompanies()
  const { isExporting, exportCompanies } = useExportCompanies()

  async function removeChosen(): Promise<void> {
    const goAhead = await confirmAction({
      title: `Delete ${counted(count, 'company', 'companies')}?`,
      body: `${isEverything ? 'This deletes everything that matches, including what isn’t shown. ' : ''}Contacts and deals stay, without a company.`,
      confirm: 'Delete',
      isDangerous: true,
    })
    if (goAhead) onRemove(remove(chosen))
  }

  return (
    <SelectionBar
      count={shownNumber(count)}
      matching={matching === null ? null : shownNumber(matching)}
      onSelectAll={onSelectAll}
      onClear={onClear}
    >
      <SelectionAction isCommon icon={IconTags} {...opens(TagsDialog, () => onDialog('tags'))}>
        Tags
      </SelectionAction>
      <SelectionAction
        isCommon
        icon={IconForms}
        {...opens(SetFieldDialog, () => onDialog('field'))}
      >
        Set field
      </SelectionAction>
      <SelectionAction
        icon={IconMail}
        onClick={() => openComposer({ behind: { record: 'companies', filter } })}
      >
        Email
      </SelectionAction>
      {!isEverything && count > 1 && count <= mostAtOnce && (
        <SelectionAction icon={IconArrowMerge} onClick={() => onDialog('merge')}>
          Merge
        </SelectionAction>
      )}
      <SelectionAction
        icon={IconTableExport}
        disabled={isExporting}
        onClick={() => exportCompanies({ ...view, filter })}
      >
        {isExporting ? 'Exporting...' : 'Export selected'}
      </SelectionAction>
      <SelectionAction isDangerous icon={IconTrash} onClick={removeChosen} {...removesSelection}>
        Delete selected
      </SelectionAction>
    </SelectionBar>
  )
}
