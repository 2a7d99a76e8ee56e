import type { Deal } from './queries.ts'

/** One deal in the form of a bulk write. */
export function chosenDeal({ id }: { id: string }) {
  return { filter: { ids: [id] }, count: 1, matches: (other: Deal) => other.id === id }
}
