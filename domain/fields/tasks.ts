import { priorities, priorityNames, usualPriority } from '#domain/task.ts'
import { created, type Fields, type KeyOf } from './field.ts'
import { listOrder } from './order.ts'

/** The fields of a task, in the order of its form. When it repeats is a matter of its own: `task-form.ts`. */
export const taskFields = {
  title: { kind: 'text', label: 'Title', max: 500, isRequired: true },
  description: { kind: 'long text', label: 'Description' },
  priority: {
    kind: 'choice',
    label: 'Priority',
    choices: priorities,
    choiceNames: priorityNames,
    usual: usualPriority,
    sort: { asc: 'Lowest first', desc: 'Highest first', first: 'desc' },
    filter: { by: 'any' },
  },
  // A form asks for its day and its hour: `due-date-form.ts`.
  due_date: {
    kind: 'moment',
    label: 'Due Date',
    key: 'due',
    sort: { asc: 'Soonest first', desc: 'Latest first' },
    filter: { by: 'range', label: 'Due' },
  },
  deal_id: { kind: 'record', label: 'Deal', key: 'deal', at: 'deal_name', filter: { by: 'one' } },
  contact_id: {
    kind: 'record',
    label: 'Contact',
    key: 'contact',
    at: 'contact',
    filter: { by: 'one' },
  },
  company_id: {
    kind: 'record',
    label: 'Company',
    key: 'company',
    at: 'company_name',
    filter: { by: 'one' },
  },
  created_at: created,
} as const satisfies Fields

/** By what the list can be sorted, in the order of its menu. */
export const taskSorts = ['created', 'due', 'priority', 'title'] as const satisfies KeyOf<
  typeof taskFields
>[]

export type TaskSort = (typeof taskSorts)[number]

/** By what the list can be filtered, in the order of the popover and of the address. */
export const taskFilters = [
  'priority',
  'contact',
  'company',
  'deal',
  'due',
] as const satisfies KeyOf<typeof taskFields>[]

/** The order of the list, as the database has it. */
export function taskOrder(sort: TaskSort, descending: boolean) {
  return listOrder(taskFields, sort, descending)
}
