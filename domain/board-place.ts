/** A place on the board: the column, and the index among the cards without the held one. */
export type BoardPlace = { column: number; index: number }

/**
 * The place after an arrow key, Home or End. `others` is the number of cards in each column without the held one.
 * Null when the key moves nothing, also at the edge of the board.
 */
export function nextPlace(place: BoardPlace, key: string, others: number[]): BoardPlace | null {
  const last = others[place.column] ?? 0
  if (key === 'ArrowUp') return within(place, place.index - 1, last)
  if (key === 'ArrowDown') return within(place, place.index + 1, last)
  if (key === 'Home') return within(place, 0, last)
  if (key === 'End') return within(place, last, last)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (step === undefined) return null
  const column = place.column + step
  const room = others[column]
  return room === undefined ? null : { column, index: Math.min(place.index, room) }
}

function within(place: BoardPlace, index: number, last: number): BoardPlace | null {
  if (index < 0 || index > last || index === place.index) return null
  return { ...place, index }
}

/** 'Lead, 2 of 5.', for screen readers; `total` includes the held card. */
export function placeWords(columnName: string, index: number, total: number): string {
  return `${columnName}, ${index + 1} of ${Math.max(total, index + 1)}.`
}
