import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { shortWeekday } from '#domain/dates.ts'
import { dayNamed, type StepClock, type StepDay, stepDays } from '#domain/step-days.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'

type DayChipsProps = {
  /** `YYYY-MM-DD`, or empty. */
  chosen: string
  /** Called with no day when the chosen one is pressed again. */
  onChoose: (day: string) => void
  /** Beside a field that shows the day: in half a dialog all three stand in one line. */
  isShort?: boolean
}

/** Today, Tomorrow, Next week: each chooses its day. */
export function DayChips({ chosen, onChoose, isShort = false }: DayChipsProps) {
  const clock = { now: useNow(), timeZone: useTimeZone(), weekStart: useWeekStart() }
  return stepDays.map((name) => {
    const day = dayNamed(name, clock)
    const isChosen = chosen === day && firstWith(day, clock) === name
    return (
      <Button
        key={name}
        size={isShort ? 'compact-xs' : 'compact-sm'}
        variant={isChosen ? 'light' : 'default'}
        aria-pressed={isChosen}
        leftSection={isChosen ? <IconCheck size={14} stroke={2} aria-hidden /> : null}
        onClick={() => onChoose(isChosen ? '' : day)}
      >
        {isShort ? dayNames[name] : nameOf(name, day)}
      </Button>
    )
  })
}

const dayNames = { today: 'Today', tomorrow: 'Tomorrow', 'next week': 'Next week' } as const

/** 'Next week · Mon 23': the other two need no date. */
function nameOf(name: StepDay, day: string): string {
  if (name !== 'next week') return dayNames[name]
  return `${dayNames[name]} · ${shortWeekday(day)} ${Number(day.slice(8))}`
}

/** On the last day of a week, tomorrow is next week: one of the two shows as chosen. */
function firstWith(day: string, clock: StepClock): StepDay | undefined {
  return stepDays.find((name) => dayNamed(name, clock) === day)
}
