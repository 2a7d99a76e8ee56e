import type { OwnRecord } from '#domain/fields/own.ts'

/** What the records are called that can have fields of the user's own. */
export const recordNames: Record<OwnRecord, { one: string; many: string; title: string }> = {
  contacts: { one: 'contact', many: 'contacts', title: 'Contacts' },
  companies: { one: 'company', many: 'companies', title: 'Companies' },
  deals: { one: 'deal', many: 'deals', title: 'Deals' },
}
