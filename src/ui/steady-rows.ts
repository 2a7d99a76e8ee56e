import type { VirtualItem } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'

type Anchor = Pick<VirtualItem, 'key' | 'start'>

/** So many rows on the screen are remembered: some of them may be gone or moved, or get another row after them. */
const mostAnchors = 12

type SteadyRows = {
  all: VirtualItem[]
  /** Another list, or another view of it, begins anew. */
  placeKey: string
  /** How far was scrolled, in the measure of the rows. */
  offset: () => number
  isAtTop: () => boolean
  move: (distance: number) => void
  itemAt?: (key: VirtualItem['key']) => number | null
}

/**
 * Keeps the rows on the screen in place when others come in or leave above them, as changes of another window do. At the
 * top of the list new rows show. Where the order itself is another one, the place stays and the rows change.
 */
export function useSteadyRows({ all, placeKey, offset, isAtTop, move, itemAt }: SteadyRows): void {
  const last = useRef<{ anchors: Anchor[]; first: number; placeKey: string } | null>(null)
  useLayoutEffect(() => {
    const before = last.current
    const isSame = !before || all[before.first]?.key === before.anchors[0]?.key
    if (before?.placeKey === placeKey && !isSame && !isAtTop()) {
      const distance = movedBy(before.anchors, all, itemAt ?? ((key) => rowOf(all, key)))
      if (distance !== 0) move(distance)
    }
    const first = firstBelow(all, offset())
    last.current = { anchors: all.slice(first, first + mostAnchors), first, placeKey }
  })
}

/**
 * How far most rows that were on the screen have moved: a single one may have been moved by an edit. Where only a few moved
 * alike, other rows came between them, and the commonest distance counts if they kept their order; otherwise 0.
 */
function movedBy(
  anchors: Anchor[],
  all: VirtualItem[],
  placeOf: (key: VirtualItem['key']) => number | null,
): number {
  const found = anchors.flatMap(({ key, start }) => {
    const row = placeOf(key)
    const now = row === null ? undefined : all[row]?.start
    return row === null || now === undefined ? [] : [{ row, distance: now - start }]
  })
  const together = (distance: number) => found.filter((each) => each.distance === distance).length
  const [most] = found.toSorted((one, other) => together(other.distance) - together(one.distance))
  if (!most) return 0
  const isInOrder = found.every(({ row }, place) => row >= (found[place - 1]?.row ?? 0))
  return together(most.distance) * 3 >= found.length || isInOrder ? most.distance : 0
}

function rowOf(all: VirtualItem[], key: VirtualItem['key']): number | null {
  const row = all.findIndex((each) => each.key === key)
  return row === -1 ? null : row
}

/** The first row that begins at or below an offset; rows lie in the order of their offsets. */
function firstBelow(all: VirtualItem[], offset: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
