import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { dayInYear, shownDate } from '#domain/dates.ts'
import { daysAfter } from '#domain/local-time.ts'

type WeekBarProps = {
  week: string[]
  isThisWeek: boolean
  /** Undefined for the week of today. */
  onWeek: (day: string | undefined) => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The week that is shown, and the way to others. */
export function WeekBar({ week, isThisWeek, onWeek }: WeekBarProps) {
  const [first = '', last = ''] = [week[0], week.at(-1)]
  return (
    <Group gap={8} mb="sm" wrap="nowrap">
      <ActionIcon
        variant="default"
        aria-label="Previous week"
        onClick={() => onWeek(daysAfter(first, -7))}
      >
        <IconChevronLeft {...icon} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label="Next week"
        onClick={() => onWeek(daysAfter(first, 7))}
      >
        <IconChevronRight {...icon} />
      </ActionIcon>
      <Button
        variant="default"
        flex="none"
        px="sm"
        disabled={isThisWeek}
        onClick={() => onWeek(undefined)}
      >
        This week
      </Button>
      <Text size="sm" fw={600} role="status">
        {`${dayInYear(`${first}T12:00:00Z`, 'UTC')} – ${shownDate(last)}`}
      </Text>
    </Group>
  )
}
