/** A place on the board: the column, and the index among the cards without the held one. */
export type BoardPlace = { column: number; index: number }

/**
 * The place after an arrow key, Home, End, or the digit of a column. `others` is the number of cards in each column without the held one,
 * `first` the digit of the first column. Null when the key moves nothing, also at the edge of the board.
 */
export function nextPlace(
  place: BoardPlace,
  key: string,
  others: number[],
  first = 1,
): BoardPlace | null {
  const last = others[place.column] ?? 0
  if (key === 'ArrowUp') return within(place, place.index - 1, last)
  if (key === 'ArrowDown') return within(place, place.index + 1, last)
  if (key === 'Home') return within(place, 0, last)
  if (key === 'End') return within(place, last, last)
  const column = columnAfter(place.column, key, first)
  const room = column === null || column === place.column ? undefined : others[column]
  return column === null || room === undefined
    ? null
    : { column, index: Math.min(place.index, room) }
}

/** The digit of the first column: stages count from one, whether or not No Stage, which is 0, stands before them. */
export function firstDigit([first]: { stage_id: string | null }[]): number {
  return first && first.stage_id === null ? 0 : 1
}

function columnAfter(column: number, key: string, first: number): number | null {
  if (/^\d$/.test(key)) return Number(key) - first
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
  return step === undefined ? null : column + step
}

/**
 * The card that gets the focus after an arrow key, Home or End. `counts` is the number of cards that can be reached in
 * each column; empty and folded columns, which have none, are passed over. Null when there is none in that direction.
 */
export function nextCard(place: BoardPlace, key: string, counts: number[]): BoardPlace | null {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (step === undefined)
    return nextPlace(
      place,
      key,
      counts.map((count) => count - 1),
    )
  for (let column = place.column + step; counts[column] !== undefined; column += step) {
    const count = counts[column] ?? 0
    if (count > 0) return { column, index: Math.min(place.index, count - 1) }
  }
  return null
}

function within(place: BoardPlace, index: number, last: number): BoardPlace | null {
  if (index < 0 || index > last || index === place.index) return null
  return { ...place, index }
}

/** 'Lead, 2 of 5.', for screen readers; `total` includes the held card. */
export function placeWords(columnName: string, index: number, total: number): string {
  return `${columnName}, ${index + 1} of ${Math.max(total, index + 1)}.`
}
