import { Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { DayChips } from './day-chips.tsx'

type DueFieldsProps = {
  day: GetInputPropsReturnType
  time: GetInputPropsReturnType
  /** A day that is chosen with one press. */
  onDay: (day: string) => void
  /** Focuses the day. */
  isFirst?: boolean
}

/** Half of the line each, as a time with AM or PM is as wide as a day; narrow, so that a day with its picker fits. */
const half = { flex: 1, miw: 0, styles: { input: { paddingInline: 8 } } } as const

/** The fields of a due date: a day, which one press may choose, and an optional time. */
export function DueFields({ day, time, onDay, isFirst = false }: DueFieldsProps) {
  return (
    <div data-tall>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <TextInput
          label="Due Date"
          name="due_date"
          type="date"
          // Limits the year to four digits.
          max="9999-12-31"
          {...half}
          data-autofocus={isFirst || undefined}
          {...day}
        />
        <TextInput label="Time (optional)" name="due_time" type="time" {...half} {...time} />
      </Group>
      <Group gap={6} mt={8}>
        <DayChips chosen={String(day.value ?? '')} onChoose={onDay} isShort />
      </Group>
    </div>
  )
}
