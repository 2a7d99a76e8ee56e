import type { UndoConflict } from './queries.ts'

const reasons: Record<UndoConflict['reason'], string> = {
  changed: 'changed since',
  undone: 'already undone',
  'in use': 'in use since',
  erased: 'gone for good',
  'parent gone': 'belongs to a deleted record',
  'name taken': 'its name is taken',
}

/** Which records cannot simply be put back, and why: 'Acme (changed since) and 2 others'. */
export function conflictsInWords(conflicts: UndoConflict[]): string {
  const named = conflicts.slice(0, 3).map(({ label, reason }) => {
    return `${label || 'Unnamed'} (${reasons[reason]})`
  })
  const rest = conflicts.length - named.length
  if (rest > 0) named.push(rest === 1 ? '1 other' : `${rest} others`)
  const last = named.pop() ?? ''
  return named.length > 0 ? `${named.join(', ')} and ${last}` : last
}
