import { priorities, priorityNames, usualPriority } from '#domain/task.ts'
import type { Fields, KeyOf } from './field.ts'
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
  },
  // A form asks for its day and its hour: `due-date.ts`.
  due_date: {
    kind: 'moment',
    label: 'Due Date',
    key: 'due',
    sort: { asc: 'Soonest first', desc: 'Latest first' },
  },
  deal_id: { kind: 'record', label: 'Deal', key: 'deal', at: 'deal_name' },
  contact_id: { kind: 'record', label: 'Contact', key: 'contact', at: 'contact' },
  company_id: { kind: 'record', label: 'Company', key: 'company', at: 'company_name' },
  created_at: {
    kind: 'moment',
    label: 'Created',
    key: 'created',
    edit: 'never',
    sort: { first: 'desc' },
  },
} as const satisfies Fields

/** By what the list can be sorted, in the order of its menu. */
export const taskSorts = ['created', 'due', 'priority', 'title'] as const satisfies KeyOf<
  typeof taskFields
>[]

export type TaskSort = (typeof taskSorts)[number]

/** The order of the list, as the database has it. */
export function taskOrder(sort: TaskSort, descending: boolean) {
  return listOrder(taskFields, sort, descending)
}
