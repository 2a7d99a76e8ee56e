import type { CreatedRecord } from './queries.ts'

const names: Record<CreatedRecord['kind'], string> = {
  contacts: 'contact',
  companies: 'company',
  deals: 'deal',
  tasks: 'task',
  notes: 'note',
}

const list = new Intl.ListFormat('en-US')

/** 'Contact, deal and task created successfully'; if nothing is new, what was updated. */
export function createdInWords(records: Pick<CreatedRecord, 'kind' | 'is_new'>[]): string {
  const isCreated = records.some(({ is_new }) => is_new)
  const kinds = records.filter(({ is_new }) => is_new === isCreated).map(({ kind }) => names[kind])
  const words = list.format(new Set(kinds)).replace(', and ', ' and ')
  const verb = isCreated ? 'created' : 'updated'
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${verb} successfully`
}
