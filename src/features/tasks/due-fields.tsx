import { Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

type DueFieldsProps = {
  day: GetInputPropsReturnType
  time: GetInputPropsReturnType
  /** The keyboard begins here. */
  isFirst?: boolean
}

/** When a task is due: a day and, where there is one, its hour. */
export function DueFields({ day, time, isFirst = false }: DueFieldsProps) {
  return (
    <Group gap={8} align="flex-start" wrap="nowrap">
      <TextInput
        label="Due Date"
        name="due_date"
        type="date"
        // A year has four digits.
        max="9999-12-31"
        // Both alike: an hour with AM or PM is as wide as a day.
        flex={1}
        miw={0}
        data-autofocus={isFirst || undefined}
        {...day}
      />
      <TextInput label="Time (optional)" name="due_time" type="time" flex={1} miw={0} {...time} />
    </Group>
  )
}
