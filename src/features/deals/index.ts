export { boardShortcuts } from './board/board-shortcuts.ts'
export { DealDialog } from './deal-dialog-part.ts'
export { useDealName } from './deal-name.ts'
export { DealSelect } from './deal-select.tsx'
export { dealUrl, dealView } from './deal-view.ts'
export { LostReasons } from './lost-reasons.tsx'
export type { Deal } from './queries.ts'
export { DealContacts } from './record/deal-contacts.tsx'
export { DealDetails } from './record/deal-details.tsx'
export { DealProgress, DealProgressSkeleton } from './record/deal-progress.tsx'
export { useDeal, useDealNeighbours } from './record/queries.ts'
export { useRemoveDeal } from './record/use-remove-deal.ts'
/** Loaded when the screen is first opened. */
export const loadDealsPage = () => import('./deals-page.tsx')
