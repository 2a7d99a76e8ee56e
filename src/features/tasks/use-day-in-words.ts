import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { NextStepInput } from '#domain/next-step.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'

type Reader = typeof import('#domain/step-words.ts')

type StepForm = Pick<UseFormReturnType<NextStepInput>, 'setFieldValue' | 'values'>

/** Sets the day and the hour that the words of the next step name, unless the user picks a day. */
export function useDayInWords(form: StepForm) {
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const { next_title: words, next_day: day, next_time, next_name } = form.values
  const [reader, setReader] = useState<Reader | null>(null)
  const isPicked = useRef(false)
  /** The day before the words named one. */
  const before = useRef<string | null>(null)

  function take(name: string, next: string, time = ''): void {
    if (name !== next_name) form.setFieldValue('next_name', name)
    if (time !== next_time) form.setFieldValue('next_time', time)
    if (next !== day) form.setFieldValue('next_day', next)
  }
  const read = useEffectEvent(({ readStep }: Reader, typed: string) => {
    if (isPicked.current) return
    const found = readStep(typed, { now: Date.now(), timeZone, weekStart })
    if (found) before.current ??= day
    take(found?.title ?? '', found?.day ?? before.current ?? day, found?.time)
    if (!found) before.current = null
  })
  useEffect(() => {
    if (reader) read(reader, words)
  }, [reader, words])

  return {
    /** Loads the reader, which is large, when somebody is about to type; without it the words stay words. */
    load() {
      import('#domain/step-words.ts').then(setReader, () => {})
    },
    /** A day that the user picks. */
    pick(next: string) {
      isPicked.current = true
      take('', next)
    },
  }
}
