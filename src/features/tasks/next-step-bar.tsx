import { Button, CloseButton, Kbd } from '@mantine/core'
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'react-router'
import { nextStepOf, nextStepSchema } from '#domain/next-step.ts'
import { dayNamed } from '#domain/step-days.ts'
import { useFormTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { newId } from '#lib/new-id.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { formShortcuts } from '#ui/form-keys.ts'
import { isPressed, useShortcut } from '#ui/shortcut.ts'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import classes from './next-step.module.css'
import { NextStepLine } from './next-step-line.tsx'
import { nextStepShortcut } from './next-step-shortcut.ts'
import type { Task } from './queries.ts'
import { useCompleteWithNextStep } from './writes/queries.ts'

type NextStepBarProps = {
  task: Task
  /** Completed by a key: then the list keeps the focus, for the next key. */
  isByKey?: boolean
  onClose: () => void
}

/** The line at the foot of the screen after a task was completed. It goes by itself while nothing is typed. */
export function NextStepBar({ task: latest, isByKey = false, onClose }: NextStepBarProps) {
  const timeZone = useFormTimeZone(false)
  const weekStart = useWeekStart()
  const [id, setId] = useState(newId)
  const plan = useCompleteWithNextStep()
  const schema = useMemo(() => nextStepSchema(timeZone), [timeZone])
  const tomorrow = () => dayNamed('tomorrow', { now: Date.now(), timeZone, weekStart })
  // What was typed belongs to the task it was typed for, also when another one is completed meanwhile.
  const [task, setTask] = useState(latest)
  const { form, element, isSaving, submit } = useRecordForm({
    schema,
    initialValues: { next_title: '', next_day: tomorrow(), next_time: '', next_name: '' },
    async save(values) {
      const next = nextStepOf(values, timeZone)
      if (!next) return
      await plan({ task, id, next })
      setId(newId())
      close()
    },
  })
  const hasText = form.values.next_title.trim() !== ''
  if (task !== latest && !hasText && !isSaving) setTask(latest)
  const { mayLeave } = useLeaveQuestion(hasText)
  const words = useRef<HTMLInputElement>(null)
  const before = useRef<Element | null>(null)

  const enter = useCallback(() => {
    if (!element.current?.contains(document.activeElement)) before.current = document.activeElement
    words.current?.focus()
  }, [element])
  useEffect(() => {
    // A list keeps the focus on its next row; elsewhere it went with the row.
    const hasPlace = isByKey && !document.activeElement?.matches('body, main')
    // A touch would bring up the keyboard over the screen after every task.
    if (task && !hasPlace && !window.matchMedia('(pointer: coarse)').matches) enter()
  }, [task, isByKey, enter])
  useShortcut(nextStepShortcut, enter)

  function close(): void {
    if (
      element.current?.contains(document.activeElement) &&
      before.current instanceof HTMLElement
    ) {
      before.current.focus({ preventScroll: true })
    }
    onClose()
  }
  async function leave(): Promise<void> {
    if (!isSaving && (await mayLeave())) close()
  }
  function press(event: KeyboardEvent): void {
    if (!isPressed(event, formShortcuts.leave)) return
    event.stopPropagation()
    leave()
  }

  const goAway = useEffectEvent(() => {
    if (!hasText && !isSaving) onClose()
  })
  useEffect(() => {
    function pressElsewhere({ target }: PointerEvent): void {
      if (target instanceof Node && !element.current?.contains(target)) goAway()
    }
    document.addEventListener('pointerdown', pressElsewhere)
    return () => document.removeEventListener('pointerdown', pressElsewhere)
  }, [element])
  const { pathname } = useLocation()
  const openedAt = useRef(pathname)
  useEffect(() => {
    // No question here: the user has already agreed to leave the screen and lose the typed text.
    if (openedAt.current !== pathname) onClose()
  }, [pathname, onClose])

  return (
    <form
      ref={element}
      noValidate
      className={classes.bar}
      data-foot-bar
      aria-label={`Next step after ${task.title}`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={classes.head}>
        <p className={classes.done}>
          Next step after <bdi>{task.title}</bdi>
        </p>
        {isByKey && (
          <span className={classes.hint} role="status">
            <Kbd size="xs">{nextStepShortcut.keys[0]}</Kbd> to plan it
          </span>
        )}
        <CloseButton size="sm" aria-label="No next step" onClick={leave} />
      </div>
      <div className={classes.foot}>
        <NextStepLine form={form} label={null} input={words} />
        <Button type="submit" aria-disabled={isSaving} data-saving={isSaving || undefined}>
          {isSaving ? 'Saving...' : 'Add'}
        </Button>
      </div>
    </form>
  )
}
