import { IconCalendar, IconCheck, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { removesSelection } from '#ui/list-shortcuts.ts'
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx'
import { DueDateDialog } from './task-dialog-parts.ts'
import { type ChosenTasks, useDeleteTasks, useUpdateTasks } from './writes/queries.ts'

type TaskSelectionBarProps = {
  chosen: ChosenTasks
  /** How many match, where more match than are selected. */
  matching: number | null
  onSelectAll: () => void
  onClear: () => void
  /** Clears the selection for the write, and restores it when the write fails. */
  onWrite: (write: Promise<unknown>) => void
}

/** What can be done to the tasks that are selected. */
export function TaskSelectionBar(props: TaskSelectionBarProps) {
  const { chosen, matching, onSelectAll, onClear, onWrite } = props
  const update = useUpdateTasks()
  const remove = useDeleteTasks()
  const [isRescheduling, setIsRescheduling] = useState(false)
  return (
    <SelectionBar
      count={shownNumber(chosen.count)}
      matching={matching === null ? null : shownNumber(matching)}
      onSelectAll={onSelectAll}
      onClear={onClear}
    >
      <SelectionAction
        isCommon
        icon={IconCheck}
        onClick={() => onWrite(update({ ...chosen, changes: { completed: true } }))}
      >
        Complete
      </SelectionAction>
      <SelectionAction isCommon icon={IconCalendar} onClick={() => setIsRescheduling(true)}>
        Reschedule
      </SelectionAction>
      {isRescheduling && (
        <DueDateDialog
          title={`Reschedule ${counted(chosen.count, 'task')}`}
          submitLabel="Set due date"
          due={{ due_date: null, due_all_day: false }}
          onSet={async (due) => {
            await update({ ...chosen, changes: due })
            onClear()
          }}
          onClose={() => setIsRescheduling(false)}
        />
      )}
      <SelectionAction
        isCommon
        icon={IconTrash}
        isDangerous
        {...removesSelection}
        onClick={() => onWrite(remove(chosen))}
      >
        Delete selected
      </SelectionAction>
    </SelectionBar>
  )
}
