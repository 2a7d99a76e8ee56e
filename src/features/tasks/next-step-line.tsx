import { Button, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import type { KeyboardEventHandler, RefObject } from 'react'
import type { NextStepInput } from '#domain/next-step.ts'
import { dayNamed, type StepDay, stepDays } from '#domain/step-days.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import classes from './next-step.module.css'

const names: Record<StepDay, string> = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  'next week': 'Next week',
}

type NextStepLineProps = {
  /** A form with the two values of the line among others. */
  form: Pick<UseFormReturnType<NextStepInput>, 'getInputProps' | 'setFieldValue' | 'values'>
  /** Null where words say it already. */
  label?: string | null
  input?: RefObject<HTMLInputElement | null>
  onKeyDown?: KeyboardEventHandler
}

/** What comes next: words, and Today, Tomorrow, Next week or a date. */
export function NextStepLine({ form, label = 'Next step', input, onKeyDown }: NextStepLineProps) {
  const clock = { now: useNow(), timeZone: useTimeZone(), weekStart: useWeekStart() }
  const { next_day: chosen } = form.values
  return (
    <div className={classes.line}>
      <TextInput
        ref={input}
        name="next_title"
        {...(label === null ? { 'aria-label': 'Next step' } : { label })}
        placeholder="Send the quote"
        dir="auto"
        autoComplete="off"
        className={classes.words ?? ''}
        onKeyDown={onKeyDown}
        {...form.getInputProps('next_title')}
      />
      <div className={classes.days}>
        {stepDays.map((name) => {
          const day = dayNamed(name, clock)
          const isChosen = chosen === day && firstWith(day, clock) === name
          return (
            <Button
              key={name}
              size="compact-sm"
              variant={isChosen ? 'light' : 'default'}
              aria-pressed={isChosen}
              leftSection={isChosen ? <IconCheck size={14} stroke={2} aria-hidden /> : null}
              onClick={() => form.setFieldValue('next_day', isChosen ? '' : day)}
            >
              {names[name]}
            </Button>
          )
        })}
        <TextInput
          name="next_day"
          aria-label="Date of the next step"
          type="date"
          max="9999-12-31"
          size="xs"
          className={classes.day ?? ''}
          {...form.getInputProps('next_day')}
        />
      </div>
    </div>
  )
}

/** On the last day of a week, tomorrow is next week: one of the two shows as chosen. */
function firstWith(day: string, clock: Parameters<typeof dayNamed>[1]): StepDay | undefined {
  return stepDays.find((name) => dayNamed(name, clock) === day)
}
