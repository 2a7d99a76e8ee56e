import { z } from 'zod'
import { companyFields, companyFilters, companySorts } from '#domain/fields/companies.ts'
import { contactFields, contactFilters, contactSorts } from '#domain/fields/contacts.ts'
import { dealFields, dealFilters, dealSorts } from '#domain/fields/deals.ts'
import { taskFields, taskFilters, taskSorts } from '#domain/fields/tasks.ts'
import { readAbout } from './account.ts'
import { bounded } from './bounded.ts'
import { day, id, listInput } from './inputs.ts'
import { type Ask, type InterfaceFunction, interfaceFunction } from './interface-function.ts'

const nothing = z.strictObject({})

type ListArgs = { filter?: object | undefined; page_size?: number | undefined }

/** Days of a filter are days of the user's calendar. */
async function readList(name: string, args: ListArgs, ask: Ask): Promise<unknown> {
  const { filter = {}, page_size = 25, ...order } = args
  const isOfDays = Object.keys(filter).some((key) => /^(created|due)_(from|to)$/.test(key))
  const zone = isOfDays ? { time_zone: (await readAbout(ask)).time_zone } : {}
  return bounded(await ask(name, { ...order, page_size, filter: { ...filter, ...zone } }))
}

/** What reads. */
export const readingFunctions: InterfaceFunction[] = [
  interfaceFunction({
    name: 'about',
    title: 'About the account',
    description:
      'What to know before anything else: today’s date and time zone, the currency, the pipelines with their stages, the custom fields with their ids, the tags in use, and what this token may do.',
    writes: false,
    input: nothing,
    run: async (_, ask) => bounded(await ask('about', {})),
  }),
  interfaceFunction({
    name: 'search',
    title: 'Search everything',
    description:
      'Finds contacts, companies, deals and tasks by name, email address, phone number or any other text, best matches first, also with typos. Use it to get from a name to an id. Without words, the records that were used last.',
    writes: false,
    input: z.strictObject({ words: z.string().max(200).default('') }),
    run: async (args, ask) => bounded(await ask('search', args)),
  }),
  interfaceFunction({
    name: 'get_record',
    title: 'Read a record with its timeline',
    description:
      'One contact, company, deal or task in full, with its timeline: notes, calls, meetings and changes, newest first. "next" reads earlier entries.',
    writes: false,
    input: z.strictObject({
      kind: z.enum(['contacts', 'companies', 'deals', 'tasks']),
      id,
      before: z.string().optional().describe('From "next".'),
      before_key: z.string().optional().describe('From "next".'),
      page_size: z.number().int().min(1).max(100).optional().describe('Entries; 20 unless told.'),
    }),
    run: async (args, ask) => bounded(await ask('get_record', args)),
  }),
  interfaceFunction({
    name: 'read_text',
    title: 'Read a long text on',
    description:
      'Other answers cut texts after 1,000 characters; this reads one from a character on, 20,000 at a time. Of a note the kind is "notes" and the field "body".',
    writes: false,
    input: z.strictObject({
      kind: z.enum(['contacts', 'companies', 'deals', 'tasks', 'notes']),
      id,
      field: z
        .string()
        .regex(/^[a-z_]{1,40}$/)
        .describe('Such as notes, description or body.'),
      start: z.number().int().min(0).default(0),
    }),
    run: (args, ask) => ask('read_text', args),
  }),
  interfaceFunction({
    name: 'list_contacts',
    title: 'List contacts',
    description:
      'A page of contacts, by the filters and orders of the screen. "next" is the cursor of the page after it.',
    writes: false,
    input: listInput(contactFields, contactFilters, contactSorts),
    run: (args, ask) => readList('list_contacts', args, ask),
  }),
  interfaceFunction({
    name: 'list_companies',
    title: 'List companies',
    description:
      'A page of companies, by the filters and orders of the screen. "next" is the cursor of the page after it.',
    writes: false,
    input: listInput(companyFields, companyFilters, companySorts),
    run: (args, ask) => readList('list_companies', args, ask),
  }),
  interfaceFunction({
    name: 'list_deals',
    title: 'List deals',
    description:
      'A page of deals, by the filters and orders of the screen: stage, value, expected close, what needs attention. "next" is the cursor of the page after it.',
    writes: false,
    input: listInput(dealFields, dealFilters, dealSorts),
    run: (args, ask) => readList('list_deals', args, ask),
  }),
  interfaceFunction({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'A page of tasks, by the filters and orders of the screen. Of a contact or company those of its deals are among them.',
    writes: false,
    input: listInput(taskFields, taskFilters, taskSorts, {
      status: z.enum(['pending', 'completed', 'overdue']).optional(),
    }),
    run: (args, ask) => readList('list_tasks', args, ask),
  }),
  interfaceFunction({
    name: 'today',
    title: 'Today',
    description:
      'What is due by the end of today, overdue tasks first, the counters of the tasks, and the deals that need a push. The place to begin a working day.',
    writes: false,
    input: nothing,
    run: async (_, ask) => bounded(await ask('today', {})),
  }),
  interfaceFunction({
    name: 'figures',
    title: 'Figures',
    description:
      'The figures of the dashboard, the goal of the month and the report of a day: revenue, pipeline, won and lost. Deals without a rate for their currency are in "uncounted", not in the sums.',
    writes: false,
    input: z.strictObject({ day: day.optional().describe('Today unless told.') }),
    run: async (args, ask) => bounded(await ask('figures', args)),
  }),
  interfaceFunction({
    name: 'history',
    title: 'History',
    description:
      'What was done in the account, newest first, each entry with its batch. "by" is the token that did it; undo takes the batches that have one.',
    writes: false,
    input: z.strictObject({
      after: z.looseObject({}).optional().describe('The "next" of the page before.'),
      page_size: z.number().int().min(1).max(50).optional(),
    }),
    run: async (args, ask) => bounded(await ask('history', { page_size: 20, ...args })),
  }),
]
