import { Button, CloseButton, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { localTimeOf } from '#domain/local-time.ts'
import { nextStepOf } from '#domain/next-step.ts'
import { type NoteKind, noteKinds } from '#domain/note.ts'
import { dayNamed } from '#domain/step-days.ts'
import { AttachFiles, droppedFiles, loadUploads, pastedFiles } from '#features/files/index.ts'
import { useFormTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { NextStepLine } from '#features/tasks/index.ts'
import { newId } from '#lib/new-id.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { formShortcuts, saveOnKeys, savesOnKeys } from '#ui/form-keys.ts'
import { leadTo } from '#ui/lead-to.ts'
import { isPressed } from '#ui/shortcut.ts'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import { VersionConflict } from '#ui/version-conflict.tsx'
import type { LogRequest } from './log-request.ts'
import classes from './note-form.module.css'
import {
  type NoteFormValues,
  noteFormSchema,
  noteFormValues,
  typedSince,
} from './note-form-schema.ts'
import {
  type Note,
  type Subject,
  type TimelineSource,
  useCreateNote,
  useUpdateNote,
} from './queries.ts'

const words: Record<NoteKind, { name: string; ask: string; add: string }> = {
  note: { name: 'Note', ask: 'Write a note', add: 'Add note' },
  call: { name: 'Call', ask: 'Call notes', add: 'Log call' },
  meeting: { name: 'Meeting', ask: 'Meeting notes', add: 'Log meeting' },
}

const fields = {
  kind: 'Kind',
  body: 'Text',
  outcome: 'Outcome',
  minutes: 'Minutes',
  happened_at: 'When',
}

type NoteFormProps = {
  source: TimelineSource
  subject: Subject
  /** The record to edit; undefined for a new one. */
  note?: Note
  /** Shows only the first line. */
  isFolded?: boolean
  onUnfold?: () => void
  /** What the user asked to log elsewhere on the page; the form takes it over once. */
  request?: LogRequest | null
  onAnswered?: () => void
  onDone: () => void
  onCancel: () => void
}

/** The form of a note, call or meeting. */
export function NoteForm({
  source,
  subject,
  note,
  isFolded: mayFold = false,
  onUnfold,
  request = null,
  onAnswered,
  onDone,
  onCancel,
}: NoteFormProps) {
  const timeZone = useFormTimeZone(note !== undefined)
  const [isNow, setIsNow] = useState(!note)
  const schema = useMemo(() => noteFormSchema({ timeZone, note, isNow }), [timeZone, note, isNow])
  const create = useCreateNote(source, subject)
  const update = useUpdateNote(source)
  const weekStart = useWeekStart()
  const [stepId, setStepId] = useState(newId)
  const [stepDay] = useState(() => dayNamed('tomorrow', { now: Date.now(), timeZone, weekStart }))
  const { form, element, isSaving, submit, other } = useRecordEditor({
    schema,
    record: note,
    initialValues: noteFormValues(note, timeZone, note ? '' : stepDay),
    async create({ id, values: { next_title, next_day, next_time, next_name, ...values } }) {
      const next = nextStepOf({ next_title, next_day, next_time, next_name }, timeZone)
      await create({ id, values, next: next && { ...next, id: stepId } })
      await attach(id)
    },
    async update({
      seen,
      values: { next_title: _title, next_day: _day, next_time: _time, next_name: _name, ...values },
    }) {
      await update({ seen, values })
      await attach(seen.id)
    },
    onSaved(_answer, sent) {
      setStepId(newId())
      if (!note) keepOnly(typedSince(sent, form.getValues()))
      onDone()
    },
  })
  const queryClient = useQueryClient()
  /** Files that are chosen before the note is saved. */
  const [files, setFiles] = useState<File[]>([])
  async function attach(id: string): Promise<void> {
    if (files.length === 0) return
    const { addFiles } = await loadUploads()
    addFiles(queryClient, files, { record: 'note', id }, subject)
    setFiles([])
  }
  function takeFiles(event: ClipboardEvent | DragEvent, chosen: File[]): void {
    if (chosen.length === 0) return
    // The page would add them to the record.
    event.preventDefault()
    event.stopPropagation()
    setFiles((before) => [...before, ...chosen])
    onUnfold?.()
  }
  const { body, outcome, next_title } = form.values
  const hasText = [body, outcome, next_title].some((text) => text.trim() !== '')
  const hasFiles = files.length > 0
  const { mayLeave } = useLeaveQuestion(
    hasFiles || (form.isDirty() && (hasText || note !== undefined)),
  )
  const isFolded = mayFold && !form.isDirty() && !hasFiles
  const { name, ask, add } = words[form.values.kind]

  const text = useRef<HTMLTextAreaElement>(null)
  const answer = useEffectEvent(({ kind, minutes }: LogRequest) => {
    form.setFieldValue('kind', kind)
    if (minutes) form.setFieldValue('minutes', minutes)
    if (text.current) leadTo(text.current)
    onAnswered?.()
  })
  useEffect(() => {
    if (request) answer(request)
  }, [request])

  function keepOnly(values: NoteFormValues): void {
    form.setValues({ ...values, next_day: values.next_title ? values.next_day : stepDay })
    setIsNow(values.happened_at === '')
  }
  async function cancel(): Promise<void> {
    if (!isSaving && (await mayLeave())) onCancel()
  }
  function press(event: KeyboardEvent): void {
    if (!isFolded && isPressed(event, formShortcuts.leave)) cancel()
  }
  function setTime(): void {
    setIsNow(false)
    form.setFieldValue('happened_at', localTimeOf(Date.now(), timeZone))
  }
  return (
    <form
      ref={element}
      noValidate
      className={classes.form}
      aria-label={note ? `Edit ${name.toLowerCase()}` : 'New entry'}
      onKeyDownCapture={saveOnKeys}
      onKeyDown={press}
      onFocus={onUnfold}
      onInput={onUnfold}
      onPaste={(event) => takeFiles(event, pastedFiles(event.clipboardData, timeZone))}
      onDrop={(event) => takeFiles(event, droppedFiles(event.dataTransfer))}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {other && (
        <VersionConflict
          fields={fields}
          mine={compared(form.values)}
          theirs={compared(noteFormValues(other, timeZone))}
          onTakeTheirs={onDone}
        />
      )}
      <SegmentedControl
        size="xs"
        aria-label="Kind"
        className={classes.kind ?? ''}
        data={noteKinds.map((kind) => ({ value: kind, label: words[kind].name }))}
        {...form.getInputProps('kind')}
      />
      <Textarea
        ref={text}
        name="body"
        aria-label={ask}
        placeholder={`${ask}...`}
        description={isFolded ? undefined : 'Markdown: **bold**, - list, [link](https://…)'}
        inputWrapperOrder={['input', 'error', 'description']}
        dir="auto"
        autosize
        minRows={isFolded ? 1 : 3}
        maxRows={20}
        {...form.getInputProps('body')}
      />
      {!isFolded && !note && <NextStepLine form={form} />}
      {!isFolded && (
        <div className={classes.attach}>
          <AttachFiles files={files} onChange={setFiles} />
        </div>
      )}
      {!isFolded && (
        <div className={classes.foot}>
          {form.values.kind !== 'note' && (
            <TextInput
              name="outcome"
              label="Outcome"
              placeholder="Left a message"
              dir="auto"
              autoComplete="off"
              className={classes.outcome ?? ''}
              {...form.getInputProps('outcome')}
            />
          )}
          {form.values.kind !== 'note' && (
            <TextInput
              name="minutes"
              label="Minutes"
              inputMode="numeric"
              autoComplete="off"
              className={classes.minutes ?? ''}
              {...form.getInputProps('minutes')}
            />
          )}
          {isNow ? (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconClock size={16} stroke={1.5} aria-hidden />}
              aria-label="When: now"
              onClick={setTime}
            >
              Now
            </Button>
          ) : (
            <TextInput
              name="happened_at"
              label="When"
              type="datetime-local"
              className={classes.when ?? ''}
              rightSection={
                !note && (
                  <CloseButton
                    size="sm"
                    aria-label="Use now"
                    onClick={() => {
                      setIsNow(true)
                      form.setFieldValue('happened_at', '')
                    }}
                  />
                )
              }
              {...form.getInputProps('happened_at')}
            />
          )}
          <div className={classes.actions}>
            <Button variant="default" onClick={cancel} disabled={isSaving}>
              Cancel
            </Button>
            <Button
              type="submit"
              aria-disabled={isSaving}
              data-saving={isSaving || undefined}
              {...savesOnKeys}
            >
              {isSaving ? 'Saving...' : submitLabel(add, Boolean(note), other !== null)}
            </Button>
          </div>
        </div>
      )}
    </form>
  )
}

/** What two versions of an entry may differ in; only a new one has a next step. */
function compared({
  next_title: _title,
  next_day: _day,
  next_time: _time,
  next_name: _name,
  ...values
}: NoteFormValues) {
  return values
}

function submitLabel(add: string, isThere: boolean, hasConflict: boolean): string {
  if (hasConflict) return 'Overwrite with mine'
  return isThere ? 'Save Changes' : add
}
