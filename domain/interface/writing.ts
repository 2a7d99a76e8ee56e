import { z } from 'zod'
import { closedStages } from '#domain/deal.ts'
import { companyFields } from '#domain/fields/companies.ts'
import { contactFields } from '#domain/fields/contacts.ts'
import { dealFields } from '#domain/fields/deals.ts'
import { type Fields, valueAt } from '#domain/fields/field.ts'
import { taskFields } from '#domain/fields/tasks.ts'
import { dayEnd } from '#domain/local-time.ts'
import { noteKinds } from '#domain/note.ts'
import { isPlan, offersFor, readingsOf } from '#domain/quick-add.ts'
import { quickAddLine } from '#domain/quick-add-line.ts'
import { clockOf, readAbout, stageNamed } from './account.ts'
import { addedAnswer, changedAnswer, notedAnswer, savedAnswer, undoneAnswer } from './answers.ts'
import { bounded } from './bounded.ts'
import { day, id, recordInput } from './inputs.ts'
import {
  type Ask,
  InterfaceError,
  type InterfaceFunction,
  interfaceFunction,
} from './interface-function.ts'

const undoable = 'Its "batch" can be undone.'

const when = {
  due_date: z.iso.datetime({ offset: true }).optional().describe('A moment, with its offset.'),
  due_day: day.optional().describe('A whole day of the user’s calendar, instead of due_date.'),
}

type When = { due_date?: string | undefined; due_day?: string | undefined }

/** A due date as it is stored: a whole day ends with its last second, where the user is. */
async function dueOf({ due_date, due_day }: When, ask: Ask): Promise<object> {
  if (due_day !== undefined) {
    const { time_zone } = await readAbout(ask)
    return { due_date: dayEnd(due_day, time_zone), due_all_day: true }
  }
  return due_date === undefined ? {} : { due_date, due_all_day: false }
}

const nextStep = z
  .strictObject({ title: z.string().min(1).max(500), ...when })
  .optional()
  .describe('The task that comes next, planned in the same batch.')

async function stepOf(step: z.output<typeof nextStep>, ask: Ask): Promise<object> {
  if (!step) return {}
  const { title, ...due } = step
  return { next_step: { title, ...(await dueOf(due, ask)) } }
}

/** A function that adds a record, or changes the named fields of one. */
function saving(kind: string, one: string, fields: Fields): InterfaceFunction {
  return interfaceFunction({
    name: `save_${one}`,
    title: `Add or change a ${one}`,
    description: `Without an id it adds a ${one}; with one it changes the given fields of that ${one} and leaves all others. Search first, so that nothing is added twice. ${undoable}`,
    writes: true,
    answer: savedAnswer,
    input: z.strictObject({ id: id.optional(), fields: recordInput(fields) }),
    run: async ({ id: known, fields: changes }, ask) =>
      bounded(await ask('save_record', { kind, changes, ...(known ? { id: known } : {}) })),
  })
}

const { due_date: _, ...plainTaskFields } = taskFields

/** What writes: each call is one batch in the name of the token, or a proposal. */
export const writingFunctions: InterfaceFunction[] = [
  interfaceFunction({
    name: 'quick_add',
    title: 'Quick add',
    description:
      'Understands one line as a person types it, such as "call Anna Schmidt @Acme tue 3pm !high", "new deal Renewal $5k closing next friday" or "called Maria: wants an offer", and creates its contact, company, deal, task or note in one batch. Records that exist are used, not added again.',
    writes: true,
    answer: addedAnswer,
    input: z.strictObject({ line: z.string().min(1).max(500) }),
    run: async ({ line }, ask) => quickAdd(line, ask),
  }),
  interfaceFunction({
    name: 'log_note',
    title: 'Log a note, call or meeting',
    description: `Logs what was said on the timeline of one contact, company or deal, and plans the next step with it, if one is given. ${undoable}`,
    writes: true,
    answer: notedAnswer,
    input: z.strictObject({
      kind: z.enum(noteKinds).default('note'),
      on: z.strictObject({ kind: z.enum(['contact', 'company', 'deal']), id }),
      text: z.string().max(50_000).optional().describe('May have Markdown. A note needs one.'),
      outcome: z.string().max(500).optional(),
      minutes: z.number().int().min(1).max(1440).optional(),
      happened_at: z.iso.datetime({ offset: true }).optional().describe('Now unless told.'),
      next_step: nextStep,
    }),
    async run({ kind, on, text, next_step, ...details }, ask) {
      if (kind === 'note' && !text?.trim()) {
        throw new InterfaceError(400, 'bad_arguments', 'text: A note needs one. Nothing was done.')
      }
      const note = { kind, body: text, [`${on.kind}_id`]: on.id, ...details }
      return bounded(await ask('log_note', { note, ...(await stepOf(next_step, ask)) }))
    },
  }),
  saving('contacts', 'contact', contactFields),
  saving('companies', 'company', companyFields),
  saving('deals', 'deal', dealFields),
  interfaceFunction({
    name: 'save_task',
    title: 'Plan or change a task',
    description: `Without an id it plans a task; with one it changes the given fields of that task. ${undoable}`,
    writes: true,
    answer: savedAnswer,
    input: z.strictObject({
      id: id.optional(),
      fields: recordInput(plainTaskFields, false).extend(when),
    }),
    async run({ id: known, fields }, ask) {
      // Which fields a task has is known at run time only; when it is due was read by `when`.
      const { due_date, due_day, ...plain } = fields as When
      const changes = { ...plain, ...(await dueOf({ due_date, due_day }, ask)) }
      const args = { kind: 'tasks', changes, ...(known ? { id: known } : {}) }
      return bounded(await ask('save_record', args))
    },
  }),
  interfaceFunction({
    name: 'move_deal',
    title: 'Move a deal',
    description: `Moves a deal to a stage, which is named by its name or id; the stages ${closedStages.won} and ${closedStages.lost} end it. ${undoable}`,
    writes: true,
    answer: changedAnswer,
    input: z.strictObject({
      id,
      stage: z.string().min(1).max(200).describe('Name or id; about answers all of them.'),
      lost_reason: z.string().max(2000).optional(),
    }),
    async run({ id: deal, stage, lost_reason }, ask) {
      const read = Object(await ask('get_record', { kind: 'deals', id: deal, page_size: 1 }))
      const pipeline = valueAt(Object(read.record), 'pipeline_id')
      const stage_id = stageNamed(stage, await readAbout(ask), pipeline ? String(pipeline) : null)
      const reason = lost_reason === undefined ? {} : { lost_reason }
      return bounded(await ask('move_deal', { id: deal, stage_id, ...reason }))
    },
  }),
  interfaceFunction({
    name: 'complete_task',
    title: 'Complete a task',
    description: `Completes a task and plans the one that comes next, if one is given. A repeating task plans its next one itself. ${undoable}`,
    writes: true,
    answer: changedAnswer,
    input: z.strictObject({ id, next_step: nextStep }),
    run: async ({ id: task, next_step }, ask) =>
      bounded(await ask('complete_task', { id: task, ...(await stepOf(next_step, ask)) })),
  }),
  interfaceFunction({
    name: 'snooze_task',
    title: 'Snooze a task',
    description: `Puts a task off to a later day or moment. ${undoable}`,
    writes: true,
    answer: savedAnswer,
    input: z.strictObject({ id, ...when }),
    async run({ id: task, ...due }, ask) {
      const changes = await dueOf(due, ask)
      if (Object.keys(changes).length === 0) {
        const words = 'due_day: Until when? Give a day or a moment. Nothing was done.'
        throw new InterfaceError(400, 'bad_arguments', words)
      }
      return bounded(await ask('save_record', { kind: 'tasks', id: task, changes }))
    },
  }),
  interfaceFunction({
    name: 'undo',
    title: 'Undo a batch',
    description:
      'Takes back all that one call wrote, by its batch. Only what was done with an access token can be undone with one. Records that changed since are named in "conflicts", and then nothing is undone.',
    writes: true,
    answer: undoneAnswer,
    input: z.strictObject({ batch: z.uuid() }),
    run: async (args, ask) => bounded(await ask('undo', args)),
  }),
]

const preview = z.object({ reading: z.number() })

/** As the search of the app does it: the database decides among the ways to understand the line. */
async function quickAdd(line: string, ask: Ask): Promise<unknown> {
  const clock = clockOf(await readAbout(ask))
  const readings = readingsOf(line, clock)
  const ways = readings.map(({ read, needs }) => ({ line: quickAddLine(read), needs }))
  const { reading } = preview.parse(await ask('quick_add_preview', { line: ways }))
  const chosen = readings[reading]?.read
  const [plain] = offersFor(line, clock)
  const read = chosen && isPlan(chosen) ? chosen : plain
  if (!read) {
    throw new InterfaceError(400, 'bad_arguments', 'line: It cannot be read. Nothing was done.')
  }
  return bounded(await ask('quick_add', { line: quickAddLine(read) }))
}
