import { shownMoment } from './dates.ts'
import { type ClosedOutcome, closedStages } from './deal.ts'
import { contactFields } from './fields/contacts.ts'
import { formLabels, formTexts } from './fields/form.ts'
import { priorityNames, shownDue } from './task.ts'
import type { WriteAction } from './waiting-writes.ts'

/** What a version of a record says, by the names of its fields. */
export type Version = Record<string, string>

type Words = {
  timeZone: string
  /** The name of a stage, as far as it is known. */
  stageName: (id: string) => string | undefined
}

/** What the user has written, of a write that waits. */
export function mineOf(action: WriteAction, args: object, words: Words): Version {
  const { values, next_step, ...rest } = args as Record<string, unknown>
  const step = next_step ? taskWords(Object(next_step), words) : {}
  const named = Object.entries(step).map(([name, text]) => [`Next step: ${lower(name)}`, text])
  return filled({
    ...versionOf(action, { ...rest, ...Object(values) }, words),
    ...Object.fromEntries(named),
  })
}

/** The same of the record as it is on the server. */
export function versionOf(action: WriteAction, row: object, words: Words): Version {
  const read = row as Record<string, unknown>
  switch (action) {
    case 'add note':
    case 'edit note':
      return filled(noteWords(read, words))
    case 'add contact':
      return filled(contactWords(read))
    case 'add task':
    case 'snooze task':
      return filled(taskWords(read, words))
    case 'move deal':
      return filled({
        Stage:
          words.stageName(textOf(read.stage_id)) ??
          closedStages[read.outcome as ClosedOutcome] ??
          'Another stage',
        'Lost reason': textOf(read.lost_reason),
      })
    default:
      return {}
  }
}

const kindNames: Record<string, string> = { note: 'Note', call: 'Call', meeting: 'Meeting' }

function noteWords(note: Record<string, unknown>, { timeZone }: Words): Version {
  const at = textOf(note.happened_at)
  return {
    Kind: kindNames[textOf(note.kind)] ?? '',
    Text: textOf(note.body),
    Outcome: textOf(note.outcome),
    Minutes: textOf(note.minutes),
    When: at && shownMoment(at, timeZone),
  }
}

function taskWords(task: Record<string, unknown>, { timeZone }: Words): Version {
  const due_date = textOf(task.due_date)
  const due_all_day = task.due_all_day === true
  return {
    Title: textOf(task.title),
    Description: textOf(task.description),
    Priority: priorityNames[textOf(task.priority) as keyof typeof priorityNames] ?? '',
    Due: due_date && shownDue({ due_date, due_all_day }, timeZone),
  }
}

function contactWords(contact: Record<string, unknown>): Version {
  const labels: Record<string, string> = formLabels(contactFields)
  // What was kept is what the form has checked; a link to a company is only an id.
  const texts: Record<string, string> = formTexts(contactFields, contact as never, {
    company_id: '',
  })
  return Object.fromEntries(
    Object.entries(labels).map(([name, label]) => [label, texts[name] ?? '']),
  )
}

function filled(version: Version): Version {
  return Object.fromEntries(Object.entries(version).filter(([, text]) => text !== ''))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function lower(name: string): string {
  return name.toLowerCase()
}
