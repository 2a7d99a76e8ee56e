import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { KeyboardEventHandler, RefObject } from 'react'
import { clockTime, shortWeekday } from '#domain/dates.ts'
import type { NextStepInput } from '#domain/next-step.ts'
import { DayChips } from './day-chips.tsx'
import classes from './next-step.module.css'
import { useDayInWords } from './use-day-in-words.ts'

type NextStepLineProps = {
  /** A form with the values of the line among others. */
  form: Pick<UseFormReturnType<NextStepInput>, 'getInputProps' | 'setFieldValue' | 'values'>
  /** Null where words say it already. */
  label?: string | null
  input?: RefObject<HTMLInputElement | null>
  onKeyDown?: KeyboardEventHandler
}

/** What comes next: words, and Today, Tomorrow, Next week or a date, which the words may name too. */
export function NextStepLine({ form, label = 'Next step', input, onKeyDown }: NextStepLineProps) {
  const { next_day: chosen, next_time: time } = form.values
  const { load, pick } = useDayInWords(form)
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
        onFocus={load}
        // The hour that the words name; the day has its own field.
        {...(time === '' ? {} : { rightSection: <Hour time={time} />, rightSectionWidth: 72 })}
      />
      <div className={classes.days}>
        <DayChips chosen={chosen} onChoose={pick} />
        <TextInput
          name="next_day"
          aria-label="Date of the next step"
          type="date"
          max="9999-12-31"
          size="xs"
          className={classes.day ?? ''}
          {...(/^[12]\d{3}-/.test(chosen)
            ? { leftSection: shortWeekday(chosen), leftSectionWidth: 36 }
            : {})}
          {...form.getInputProps('next_day')}
          onChange={({ currentTarget }) => pick(currentTarget.value)}
        />
      </div>
    </div>
  )
}

function Hour({ time }: { time: string }) {
  return <span className={classes.hour}>{clockTime(`2000-01-01T${time}Z`, 'UTC')}</span>
}
