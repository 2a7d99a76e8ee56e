import { counted } from '#domain/counted.ts'

/** The links that are lost with a company, for the question before it is deleted. */
export function lostLinks({ contacts, deals }: { contacts: number; deals: number }): string {
  const parts = [
    contacts > 0 ? counted(contacts, 'contact') : '',
    deals > 0 ? counted(deals, 'deal') : '',
  ].filter(Boolean)
  if (parts.length === 0) return 'No contacts or deals are linked to it.'
  return `${parts.join(' and ')} will be unlinked.`
}
