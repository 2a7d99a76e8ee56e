import { counted } from '#domain/counted.ts'
import type { ImportKind } from '#domain/import-headers.ts'
import type { Summary } from './queries.ts'

const names: Record<ImportKind, [string, string]> = {
  contacts: ['contact', 'contacts'],
  companies: ['company', 'companies'],
  deals: ['deal', 'deals'],
}

/** '1 company', '340 contacts'. */
export function countedKind(count: number, kind: ImportKind): string {
  return counted(count, ...names[kind])
}

/** 'Contacts'. */
export function kindName(kind: ImportKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1)
}

/** The summary of an import, one sentence for each kind of outcome that occurred. */
export function summaryInWords(kind: ImportKind, summary: Summary): string[] {
  const { added, updated, skipped, rejected, companies = 0, contacts = 0 } = summary
  const made = [
    companies > 0 && kind !== 'companies' ? countedKind(companies, 'companies') : '',
    contacts > 0 && kind === 'deals' ? countedKind(contacts, 'contacts') : '',
  ].filter(Boolean)
  return [
    added > 0 || updated === 0 ? `${countedKind(added, kind)} added` : '',
    updated > 0 ? `${countedKind(updated, kind)} updated` : '',
    made.length > 0 ? `${made.join(' and ')} also created` : '',
    skipped > 0 ? `${counted(skipped, 'duplicate')} skipped` : '',
    rejected > 0 ? `${counted(rejected, 'row')} rejected` : '',
  ].filter(Boolean)
}
