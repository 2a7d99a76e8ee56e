import { Button, Popover, Stack } from '@mantine/core'
import { IconCalendar, IconCheck, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { momentOf } from '#domain/local-time.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { DayField } from '#ui/day-field.tsx'
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx'
import { type ChosenTasks, useDeleteTasks, useUpdateTasks } from './queries.ts'

type TaskSelectionBarProps = {
  chosen: ChosenTasks
  /** How many match, where more do than are selected. */
  matching: number | null
  onSelectAll: () => void
  onClear: () => void
}

/** What can be done to the tasks that are selected. */
export function TaskSelectionBar(props: TaskSelectionBarProps) {
  const { chosen, matching, onSelectAll, onClear } = props
  const update = useUpdateTasks()
  const remove = useDeleteTasks()
  return (
    <SelectionBar
      count={chosen.count}
      matching={matching}
      onSelectAll={onSelectAll}
      onClear={onClear}
    >
      <SelectionAction
        icon={IconCheck}
        onClick={() => {
          onClear()
          update(chosen, { completed: true }).catch(() => {})
        }}
      >
        Complete
      </SelectionAction>
      <RescheduleButton onSet={(due_date) => update(chosen, { due_date }).catch(() => {})} />
      <SelectionAction
        icon={IconTrash}
        isDangerous
        onClick={() => {
          onClear()
          remove(chosen).catch(() => {})
        }}
      >
        Delete selected
      </SelectionAction>
    </SelectionBar>
  )
}

function RescheduleButton({ onSet }: { onSet: (dueDate: string) => void }) {
  const timeZone = useTimeZone()
  const [isOpen, setIsOpen] = useState(false)
  const [day, setDay] = useState<string>()
  const found = day ? momentOf(`${day}T09:00`, timeZone) : null
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width={240}
      position="top"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <SelectionAction icon={IconCalendar} onClick={() => setIsOpen((open) => !open)}>
          Reschedule
        </SelectionAction>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <DayField label="New due date" value={day} onChange={setDay} />
          <Button
            disabled={!found || !('moment' in found)}
            onClick={() => {
              setIsOpen(false)
              if (found && 'moment' in found) onSet(found.moment)
            }}
          >
            Set due date
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
