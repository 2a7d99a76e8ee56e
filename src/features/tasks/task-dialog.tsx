import { Checkbox, Group, NumberInput, Select } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { dueInputOf, keptDue } from '#domain/due-date-form.ts'
import { formLabels, formTexts, inputsOf } from '#domain/fields/form.ts'
import { taskFields } from '#domain/fields/tasks.ts'
import { type Repeat, repeats } from '#domain/task.ts'
import { newTask, type TaskInput, taskSchema, weekDaysOf } from '#domain/task-form.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { DealSelect } from '#features/deals/index.ts'
import { errorOf, FieldInputs, recordInput } from '#features/fields/index.ts'
import type { Linked } from '#features/forms/index.ts'
import { useFormTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { RecordDialog } from '#ui/record-dialog.tsx'
import { DueFields } from './due-fields.tsx'
import { type Task, useReadTasksAgain } from './queries.ts'
import { repeatInWords } from './repeat-words.ts'
import { useCreateTask, useUpdateTask } from './writes/queries.ts'

type Links = { contact: Linked | null; company: Linked | null; deal: Linked | null }

export type TaskDialogProps = {
  /** The record to edit; undefined for a new one. */
  task?: Task
  /** The links of a new task. */
  links?: Partial<Links>
  /** Called after saving, before the form closes. */
  onSaved?: () => void
  onClose: () => void
}

const repeatNames: Record<Repeat, string> = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  yearly: 'Yearly',
  after: 'Days after completion',
}

/** 'Create New Task' and 'Edit Task'. */
export function TaskDialog({ task, links = {}, onSaved, onClose }: TaskDialogProps) {
  const timeZone = useFormTimeZone(Boolean(task?.due_date))
  const schema = useMemo(() => taskSchema(timeZone), [timeZone])
  const create = useCreateTask()
  const update = useUpdateTask()
  const readAgain = useReadTasksAgain()
  const [chosen, setChosen] = useState<Links>(task ? linksOf(task) : { ...noLinks, ...links })
  const [isCovered, setIsCovered] = useState(false)
  // 'Every Friday': weekly, and the day is that of the due date.
  const [isOnDueDay, setIsOnDueDay] = useState(false)
  const names = namesOf(chosen, task)
  const { form, dialog, other } = useRecordEditor({
    schema,
    record: task,
    initialValues: task ? inputOf(task, timeZone) : { ...newTask, ...idsOf(chosen) },
    create: ({ id, values }) => create({ id, values, names }),
    update({ seen, values }) {
      const due = keptDue(values, seen, timeZone)
      return update({ seen, values: { ...values, ...due }, names })
    },
    onSaved() {
      onSaved?.()
      onClose()
    },
  })
  function choose(link: keyof Links, to: Linked | null): void {
    setChosen((before) => ({ ...before, [link]: to }))
    form.setFieldValue(`${link}_id`, to?.id ?? null)
  }
  return (
    <RecordDialog
      name="Task"
      verb="Create New"
      size={560}
      isThere={Boolean(task)}
      {...dialog}
      onClose={onClose}
      isCovered={isCovered}
      conflict={
        other && {
          fields: compared,
          mine: shownValues(form.values, chosen),
          theirs: shownValues(inputOf(other, timeZone), linksOf(other)),
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <FieldInputs
        fields={taskFields}
        form={form}
        wide={['title']}
        mark=""
        lines={{ least: 2, most: 8 }}
        special={{
          due_date: (
            <DueFields
              day={form.getInputProps('due_date')}
              time={form.getInputProps('due_time')}
              onDay={(day) => form.setFieldValue('due_date', day)}
            />
          ),
          deal_id: (
            <DealSelect
              chosen={chosen.deal}
              onChoose={(deal) => choose('deal', deal)}
              error={errorOf(form, 'deal_id')}
            />
          ),
          contact_id: (
            <ContactSelect
              chosen={chosen.contact}
              onChoose={(contact) => choose('contact', contact)}
              {...recordInput(form, 'contact_id', setIsCovered)}
            />
          ),
          company_id: (
            <CompanySelect
              chosen={chosen.company}
              onChoose={(company) => choose('company', company)}
              {...recordInput(form, 'company_id', setIsCovered)}
            />
          ),
        }}
      >
        <RepeatSelect
          dueDay={form.values.due_date}
          value={isOnDueDay ? 'due day' : form.values.repeat}
          error={form.errors.repeat}
          onChange={(value) => {
            setIsOnDueDay(value === 'due day')
            form.setFieldValue('repeat', value === 'due day' ? 'weekly' : value)
            if (value === 'due day') form.setFieldValue('repeat_days', null)
          }}
        />
      </FieldInputs>
      {form.values.repeat === 'weekly' && !isOnDueDay && (
        <WeekDays
          days={weekDaysOf(form.values.repeat_days, form.values.due_date)}
          onChange={(days) => form.setFieldValue('repeat_days', days)}
        />
      )}
      {form.values.repeat === 'after' && (
        <NumberInput
          label="Days after completion"
          name="repeat_every"
          min={1}
          max={3650}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps('repeat_every')}
          value={form.values.repeat_every ?? ''}
        />
      )}
    </RecordDialog>
  )
}

const weekDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type RepeatChoice = Repeat | 'due day'

type RepeatSelectProps = {
  dueDay: string
  value: RepeatChoice | null
  error: ReactNode
  onChange: (choice: RepeatChoice | null) => void
}

/** Offers the weekday of the due date first: 'Every Friday'. */
function RepeatSelect({ dueDay, value, error, onChange }: RepeatSelectProps) {
  const [day] = weekDaysOf(null, dueDay)
  const onDueDay = {
    value: 'due day',
    label: day === undefined ? 'Weekly' : `Every ${weekDays[day]}`,
  }
  const others = repeats.map((each) => ({ value: each, label: repeatNames[each] }))
  const data = day === undefined && value !== 'due day' ? others : [onDueDay, ...others]
  return (
    <Select
      label="Repeat"
      name="repeat"
      placeholder="Doesn’t repeat"
      clearable
      data={data}
      value={value}
      // One of the values above.
      onChange={(chosen) => onChange(chosen as RepeatChoice | null)}
      error={error}
    />
  )
}

type WeekDaysProps = {
  days: number[]
  onChange: (days: number[]) => void
}

function WeekDays({ days, onChange }: WeekDaysProps) {
  const first = useWeekStart()
  return (
    <Checkbox.Group
      label="On these days"
      value={days.map(String)}
      onChange={(values) => onChange(values.map(Number))}
    >
      <Group gap="sm" mt={4}>
        {weekDays.map((_, index) => {
          const day = (first + index) % 7
          return <Checkbox key={day} size="xs" value={String(day)} label={weekDays[day]} />
        })}
      </Group>
    </Checkbox.Group>
  )
}

const noLinks: Links = { contact: null, company: null, deal: null }

function linksOf(task: Task): Links {
  return {
    contact: task.contact_id
      ? { id: task.contact_id, name: task.contact ? contactName(task.contact) : '' }
      : null,
    company: task.company_id ? { id: task.company_id, name: task.company_name ?? '' } : null,
    deal: task.deal_id ? { id: task.deal_id, name: task.deal_name ?? '' } : null,
  }
}

function idsOf({ contact, company, deal }: Links) {
  return {
    contact_id: contact?.id ?? null,
    company_id: company?.id ?? null,
    deal_id: deal?.id ?? null,
  }
}

/** The names for the optimistic update. */
function namesOf({ contact, company, deal }: Links, task: Task | undefined) {
  const isSame = contact?.id === task?.contact_id
  const named = contact && { first_name: contact.name, last_name: null }
  return {
    contact: isSame ? (task?.contact ?? named) : named,
    company_name: company?.name ?? null,
    deal_name: deal?.name ?? null,
  }
}

function inputOf(task: Task, timeZone: string): TaskInput {
  return {
    ...inputsOf(taskFields, task),
    ...dueInputOf(task, timeZone),
    repeat: repeats.find((repeat) => repeat === task.repeat) ?? null,
    repeat_days: task.repeat_days,
    repeat_every: task.repeat_every,
  }
}

/** The fields of the conflict view; a repetition is one sentence. */
const compared: Record<string, string> = { ...formLabels(taskFields), repeat: 'Repeat' }

function shownValues(values: TaskInput, { contact, company, deal }: Links): Record<string, string> {
  return {
    ...formTexts(taskFields, values, {
      deal_id: deal?.name,
      contact_id: contact?.name,
      company_id: company?.name,
    }),
    due_date: `${values.due_date} ${values.due_time}`.trim(),
    repeat: repeatInWords({
      repeat: values.repeat,
      repeat_days: weekDaysOf(values.repeat_days, values.due_date),
      repeat_every: Number(values.repeat_every) || null,
    }),
  }
}
