import type { Deal } from './queries.ts'

/** One deal in the form of a bulk write. */
export function chosenDeal(deal: Deal) {
  const { id } = deal
  return { deal, filter: { ids: [id] }, count: 1, matches: (other: Deal) => other.id === id }
}
