import { Menu } from '@mantine/core'
import {
  IconCalendar,
  IconCoins,
  IconDownload,
  IconForms,
  IconMail,
  IconProgress,
  IconTags,
  IconThumbDown,
  IconTrash,
  IconTrophy,
} from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { shownStage } from '#domain/deal.ts'
import type { DealColumn } from '#domain/fields/deals.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import { withOwnChanges } from '#domain/fields/own-values.ts'
import { shownNumber } from '#domain/figures.ts'
import { tagsAfter } from '#domain/tags.ts'
import { ExportChoices } from '#features/exports/index.ts'
import { openComposer } from '#features/forms/index.ts'
import { SetFieldDialog, useOwnFields } from '#features/own-fields/index.ts'
import type { Pipeline, Stage } from '#features/pipelines/index.ts'
import { TagsDialog } from '#features/tags/index.ts'
import { confirmDeleteAll } from '#ui/confirm.tsx'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { removesSelection } from '#ui/list-shortcuts.ts'
import { SelectionAction, SelectionBar, SelectionMenu } from '#ui/selection-bar.tsx'
import { useCloseDeals } from './closing/queries.ts'
import type { DealView } from './deal-view.ts'
import { exportChoices } from './export-choices.ts'
import { LostDialog } from './lost-dialog-part.ts'
import { type ChosenDeals, useDeleteDeals, useUpdateDeals } from './queries.ts'
import { useExportDeals } from './use-export-deals.ts'

const CloseDateDialog = openedPart(
  async () => (await import('./close-date-dialog.tsx')).CloseDateDialog,
)
const CurrencyDialog = openedPart(
  async () => (await import('./currency-dialog.tsx')).CurrencyDialog,
)

type DealSelectionBarProps = {
  chosen: ChosenDeals
  /** The view of the list, for exports. */
  view: DealView
  columns: (DealColumn | OwnKey)[]
  pipelines: Pipeline[]
  /** How many match, where more match than are selected. */
  matching: number | null
  onSelectAll: () => void
  onClear: () => void
  /** Clears the selection for the write, and restores it when the write fails. */
  onRemove: (write: Promise<unknown>) => void
  /** Whether everything that matches is selected, loaded or not. */
  isEverything: boolean
}

/** What can be done to the deals that are selected. */
export function DealSelectionBar(props: DealSelectionBarProps) {
  const { chosen, view, columns, pipelines, matching, isEverything } = props
  const { onSelectAll, onClear, onRemove } = props
  const { count } = chosen
  const update = useUpdateDeals()
  const win = useCloseDeals('won')
  const remove = useDeleteDeals()
  const { isExporting, exportDeals } = useExportDeals()
  const { own } = useOwnFields('deals')
  const [dialog, setDialog] = useState<
    'close date' | 'currency' | 'lost' | 'field' | 'tags' | null
  >(null)
  const [lostStage, setLostStage] = useState<Stage>()

  /** One that closes the deals means the same as the buttons, so a loss asks for its reason. */
  function setStage(stage: Stage): void {
    if (stage.outcome === 'lost') {
      setLostStage(stage)
      setDialog('lost')
    } else if (stage.outcome === 'won') {
      win({ ...chosen, stage }).catch(() => {})
    } else {
      update({
        ...chosen,
        changes: { stage_id: stage.id },
        shown: { stage_id: stage.id, ...shownStage(stage) },
      }).catch(() => {})
    }
  }

  async function removeChosen(): Promise<void> {
    if (isEverything && !(await confirmDeleteAll(counted(count, 'deal')))) return
    onRemove(remove(chosen))
  }

  return (
    <SelectionBar
      count={shownNumber(count)}
      matching={matching === null ? null : shownNumber(matching)}
      onSelectAll={onSelectAll}
      onClear={onClear}
    >
      <SelectionMenu
        button={
          <SelectionAction isCommon icon={IconProgress}>
            Set stage
          </SelectionAction>
        }
      >
        {pipelines.map((pipeline) => (
          <div key={pipeline.id}>
            {pipelines.length > 1 && <Menu.Label>{pipeline.name}</Menu.Label>}
            {pipeline.stages.map((stage) => (
              <Menu.Item key={stage.id} onClick={() => setStage(stage)}>
                {stage.name}
              </Menu.Item>
            ))}
          </div>
        ))}
        <Menu.Divider />
        <Menu.Item
          onClick={() =>
            update({
              ...chosen,
              changes: { stage_id: null },
              shown: { stage_id: null, ...shownStage(null) },
            }).catch(() => {})
          }
        >
          No Stage
        </Menu.Item>
      </SelectionMenu>
      <SelectionAction icon={IconCalendar} onClick={() => setDialog('close date')}>
        Set expected close
      </SelectionAction>
      <SelectionAction icon={IconCoins} onClick={() => setDialog('currency')}>
        Set currency
      </SelectionAction>
      <SelectionAction icon={IconTags} {...opens(TagsDialog, () => setDialog('tags'))}>
        Tags
      </SelectionAction>
      <SelectionAction
        icon={IconMail}
        onClick={() => openComposer({ behind: { record: 'deals', filter: chosen.filter } })}
      >
        Email
      </SelectionAction>
      {Object.keys(own).length > 0 && (
        <SelectionAction icon={IconForms} onClick={() => setDialog('field')}>
          Set field
        </SelectionAction>
      )}
      <SelectionAction isCommon icon={IconTrophy} onClick={() => win(chosen).catch(() => {})}>
        Mark as won
      </SelectionAction>
      <SelectionAction
        icon={IconThumbDown}
        onClick={() => {
          setLostStage(undefined)
          setDialog('lost')
        }}
      >
        Mark as lost
      </SelectionAction>
      <SelectionMenu
        button={
          <SelectionAction icon={IconDownload} disabled={isExporting}>
            {isExporting ? 'Exporting...' : 'Export selected'}
          </SelectionAction>
        }
      >
        <ExportChoices
          choices={exportChoices(columns, (fields) =>
            exportDeals({ ...view, filter: chosen.filter }, fields),
          )}
        />
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
      {dialog === 'currency' && (
        <CurrencyDialog
          count={count}
          onSet={(currency) =>
            update({ ...chosen, changes: { currency }, shown: { currency, rate: null } })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'close date' && (
        <CloseDateDialog
          count={count}
          onSet={(expected_close_date) =>
            update({
              ...chosen,
              changes: { expected_close_date },
              shown: { expected_close_date },
            })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'field' && (
        <SetFieldDialog
          record="deals"
          count={count}
          onSet={(custom) =>
            update({
              ...chosen,
              changes: { custom },
              shown: (deal) => ({ custom: withOwnChanges(deal.custom, custom) }),
            })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'tags' && (
        <TagsDialog
          what={counted(count, 'deal')}
          onSet={(change) =>
            update({
              ...chosen,
              changes: change,
              shown: ({ tags }) => ({ tags: tagsAfter(tags, change) }),
            })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'lost' && (
        <LostDialog chosen={chosen} stage={lostStage} onClose={() => setDialog(null)} />
      )}
    </SelectionBar>
  )
}
