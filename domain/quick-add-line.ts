import type { QuickAdd } from './quick-add-records.ts'

type Part = 'contact' | 'company' | 'deal'

/** Which of the records gets the tags. */
export function taggedPart(read: QuickAdd): Part | null {
  if (read.asked === 'deal' && read.deal) return 'deal'
  if (read.contact) return 'contact'
  if (read.company) return 'company'
  return read.deal ? 'deal' : null
}

type Decided = { id?: string | null; tags?: string[] }

/** A line for the database: a part with an id is an existing record, null is a new one. */
export type QuickAddLine = {
  contact: (NonNullable<QuickAdd['contact']> & Decided) | null
  company: (NonNullable<QuickAdd['company']> & Decided) | null
  deal: (NonNullable<QuickAdd['deal']> & Decided) | null
  task: QuickAdd['task']
  note: QuickAdd['note']
}

/** What of a reading is sent to the database; `decide` says which record a part is, where that is known. */
export function quickAddLine(
  read: QuickAdd,
  decide: (part: Part) => Decided = () => ({}),
): QuickAddLine {
  const { contact, company, deal, task, note, tags } = read
  const tagged = taggedPart(read)
  const more = (part: Part) => ({
    ...decide(part),
    ...(tagged === part && tags.length > 0 ? { tags } : {}),
  })
  return {
    contact: contact && { ...contact, ...more('contact') },
    company: company && { ...company, ...more('company') },
    deal: deal && { ...deal, ...more('deal') },
    task,
    note,
  }
}
