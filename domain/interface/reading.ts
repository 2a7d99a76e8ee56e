import { z } from 'zod'
import { companyFields, companyFilters, companySorts } from '#domain/fields/companies.ts'
import { contactFields, contactFilters, contactSorts } from '#domain/fields/contacts.ts'
import { dealFields, dealFilters, dealSorts } from '#domain/fields/deals.ts'
import { taskFields, taskFilters, taskSorts } from '#domain/fields/tasks.ts'
import { about as aboutAnswer, readAbout } from './account.ts'
import {
  figuresAnswer,
  historyAnswer,
  listAnswer,
  recordAnswer,
  searchAnswer,
  textAnswer,
  todayAnswer,
} from './answers.ts'
import { bounded, boundedPage } from './bounded.ts'
import { day, id, type List, listInput, momentFilters } from './inputs.ts'
import { type Ask, type InterfaceFunction, interfaceFunction } from './interface-function.ts'
import { ownFilter, ownFilterById } from './own-filters.ts'

const nothing = z.strictObject({})

const pageSize = 25

const lists = {
  contacts: {
    name: 'list_contacts',
    record: 'contacts',
    fields: contactFields,
    filters: contactFilters,
    sorts: contactSorts,
  },
  companies: {
    name: 'list_companies',
    record: 'companies',
    fields: companyFields,
    filters: companyFilters,
    sorts: companySorts,
  },
  deals: {
    name: 'list_deals',
    record: 'deals',
    fields: dealFields,
    filters: dealFilters,
    sorts: dealSorts,
  },
  tasks: {
    name: 'list_tasks',
    record: 'tasks',
    fields: taskFields,
    filters: taskFilters,
    sorts: taskSorts,
    more: { status: z.enum(['pending', 'completed', 'overdue']).optional() },
  },
} satisfies Record<string, List>

type ListArgs = { filter?: { fields?: unknown } | undefined; page_size?: number | undefined }

/** Days of a filter are days of the user's calendar, and fields of their own have names. */
async function readList(list: List, args: ListArgs, ask: Ask): Promise<unknown> {
  const { filter = {}, page_size = pageSize, ...order } = args
  const moments = momentFilters(list)
  const isOfDays = Object.keys(filter).some((key) => moments.includes(key))
  const asked = filter.fields === undefined ? null : ownFilter.parse(filter.fields)
  const about = isOfDays || asked ? await readAbout(ask) : null
  const sent = {
    ...filter,
    ...(about && isOfDays ? { time_zone: about.time_zone } : {}),
    ...(about && asked ? { fields: ownFilterById(asked, list.record, about) } : {}),
  }
  return boundedPage(page_size, (size) =>
    ask(list.name, { ...order, page_size: size, filter: sent }),
  )
}

function listing(list: List, title: string, description: string): InterfaceFunction {
  return interfaceFunction({
    name: list.name,
    title,
    description: `${description} "next" is the cursor of the page after it.`,
    writes: false,
    answer: listAnswer,
    input: listInput(list),
    run: (args, ask) => readList(list, args, ask),
  })
}

/** What reads. */
export const readingFunctions: InterfaceFunction[] = [
  interfaceFunction({
    name: 'about',
    title: 'About the account',
    description:
      'What to know before anything else: today’s date and time zone, the currency, the pipelines with their stages, the custom fields with their ids, the tags in use, and what this token may do.',
    writes: false,
    answer: aboutAnswer,
    input: z.strictObject({
      tags_start: z
        .number()
        .int()
        .min(0)
        .max(1000)
        .optional()
        .describe('Tags come 200 at a time, the most used first; "tags_next" is where to go on.'),
    }),
    run: async (args, ask) => bounded(await ask('about', args)),
  }),
  interfaceFunction({
    name: 'search',
    title: 'Search everything',
    description:
      'Finds contacts, companies, deals and tasks by name, email address, phone number or any other text, best matches first, also with typos. Use it to get from a name to an id. Without words, the records that were used last.',
    writes: false,
    answer: searchAnswer,
    input: z.strictObject({ words: z.string().max(200).default('') }),
    run: async (args, ask) => bounded(await ask('search', args)),
  }),
  interfaceFunction({
    name: 'get_record',
    title: 'Read a record with its timeline',
    description:
      'One contact, company, deal or task in full, with its timeline: notes, calls, meetings, mails and changes, newest first. "next" reads earlier entries.',
    writes: false,
    answer: recordAnswer,
    input: z.strictObject({
      kind: z.enum(['contacts', 'companies', 'deals', 'tasks']),
      id,
      before: z.string().optional().describe('From "next".'),
      before_key: z.string().optional().describe('From "next".'),
      page_size: z.number().int().min(1).max(100).optional().describe('Entries; 20 unless told.'),
    }),
    run: ({ page_size = 20, ...args }, ask) =>
      boundedPage(page_size, (size) => ask('get_record', { ...args, page_size: size })),
  }),
  interfaceFunction({
    name: 'read_text',
    title: 'Read a long text on',
    description:
      'Other answers cut texts after 1,000 characters; this reads one from a character on, 20,000 at a time. Of a note the kind is "notes" and the field "body"; of a mail, of which timelines show the beginning, "mails" and "body_text". An old or new value of the history is read by kind "changes" with the batch as its id, and a field such as "before.notes" or "after.notes".',
    writes: false,
    answer: textAnswer,
    input: z.strictObject({
      kind: z.enum(['contacts', 'companies', 'deals', 'tasks', 'notes', 'mails', 'changes']),
      id: id.describe('Of the record, note or mail; of "changes" the batch.'),
      field: z
        .string()
        .regex(/^((before|after)\.)?[a-z_]{1,40}(\.[0-9a-f-]{36})?$/)
        .describe('Such as notes, description or body; custom.<id> for a custom field.'),
      start: z.number().int().min(0).max(10_000_000).default(0),
      row_id: id
        .optional()
        .describe('Which record of the batch is meant, where it changed several.'),
    }),
    run: (args, ask) => ask('read_text', args),
  }),
  listing(
    lists.contacts,
    'List contacts',
    'A page of contacts, by the filters and orders of the screen.',
  ),
  listing(
    lists.companies,
    'List companies',
    'A page of companies, by the filters and orders of the screen.',
  ),
  listing(
    lists.deals,
    'List deals',
    'A page of deals, by the filters and orders of the screen: stage, value, expected close, what needs attention.',
  ),
  listing(
    lists.tasks,
    'List tasks',
    'A page of tasks, by the filters and orders of the screen. Of a contact or company those of its deals are among them.',
  ),
  interfaceFunction({
    name: 'today',
    title: 'Today',
    description:
      'What is due by the end of today, overdue tasks first, the counters of the tasks, and the deals that need a push. The place to begin a working day.',
    writes: false,
    answer: todayAnswer,
    input: nothing,
    run: async (_, ask) => bounded(await ask('today', {})),
  }),
  interfaceFunction({
    name: 'figures',
    title: 'Figures',
    description:
      'The figures of the dashboard, the goal of the month and the report of a day: revenue, pipeline, won and lost. Deals without a rate for their currency are in "uncounted", not in the sums.',
    writes: false,
    answer: figuresAnswer,
    input: z.strictObject({ day: day.optional().describe('Today unless told.') }),
    run: async (args, ask) => bounded(await ask('figures', args)),
  }),
  interfaceFunction({
    name: 'history',
    title: 'History',
    description:
      'What was done in the account, newest first, each entry with its batch. "by" is the token that did it; undo takes the batches that have one.',
    writes: false,
    answer: historyAnswer,
    input: z.strictObject({
      after: z.looseObject({}).optional().describe('The "next" of the page before.'),
      page_size: z.number().int().min(1).max(50).optional(),
    }),
    run: ({ page_size = 20, ...args }, ask) =>
      boundedPage(page_size, (size) => ask('history', { ...args, page_size: size })),
  }),
]
