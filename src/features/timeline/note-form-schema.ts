import { z } from 'zod'
import { localTimeOf, momentOf } from '#domain/local-time.ts'
import { nextStepFields } from '#domain/next-step.ts'
import { noteKinds, noteSchema } from '#domain/note.ts'
import type { Note } from './queries.ts'

type NoteFormOptions = {
  timeZone: string
  /** The record to edit; undefined for a new one. */
  note?: Note | undefined
  /** Uses the time of saving. */
  isNow: boolean
}

/** The form holds the local time, the note the moment. */
export function noteFormSchema({ timeZone, note, isNow }: NoteFormOptions) {
  function happenedAt(local: string): string {
    if (isNow) return new Date().toISOString()
    // An unchanged time keeps its seconds.
    if (note && local === localTimeOf(note.happened_at, timeZone)) return note.happened_at
    const read = momentOf(local, timeZone)
    return 'moment' in read ? read.moment : ''
  }
  return z
    .object({
      kind: z.enum(noteKinds),
      body: z.string(),
      outcome: z.string(),
      minutes: z.string(),
      happened_at: z.string(),
      next_title: z.string(),
      next_day: z.string(),
      next_time: z.string(),
      next_name: z.string(),
    })
    .transform(({ kind, body, outcome, minutes, happened_at, ...next }) => ({
      kind,
      body,
      // A note has no outcome and no length; drop what was typed for a call.
      outcome: kind === 'note' ? '' : outcome,
      minutes: kind === 'note' ? '' : minutes,
      happened_at: happenedAt(happened_at),
      ...next,
    }))
    .pipe(noteSchema.safeExtend(nextStepFields(timeZone)))
}

export type NoteFormValues = z.input<ReturnType<typeof noteFormSchema>>

/** `stepDay` is the day that a next step has unless the user chooses another. */
export function noteFormValues(
  note: Note | undefined,
  timeZone: string,
  stepDay = '',
): NoteFormValues {
  const next = { next_title: '', next_day: stepDay, next_time: '', next_name: '' }
  if (!note) return { kind: 'note', body: '', outcome: '', minutes: '', happened_at: '', ...next }
  return {
    kind: noteKinds.find((kind) => kind === note.kind) ?? 'note',
    body: note.body ?? '',
    outcome: note.outcome ?? '',
    minutes: String(note.minutes ?? ''),
    happened_at: localTimeOf(note.happened_at, timeZone),
    ...next,
  }
}

/** The form after saving a new entry: only what was typed since sending. */
export function typedSince(sent: NoteFormValues, now: NoteFormValues): NoteFormValues {
  return {
    kind: now.kind === sent.kind ? 'note' : now.kind,
    body: textSince(sent.body, now.body),
    outcome: textSince(sent.outcome, now.outcome),
    minutes: now.minutes === sent.minutes ? '' : now.minutes,
    happened_at: now.happened_at === sent.happened_at ? '' : now.happened_at,
    next_title: textSince(sent.next_title, now.next_title),
    next_day: now.next_day,
    next_time: '',
    next_name: '',
  }
}

function textSince(sent: string, now: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now
}
