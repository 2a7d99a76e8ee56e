import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual'
import { type FocusEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useKeptPlace } from './kept-place.ts'
import { useSteadyRows } from './steady-rows.ts'

type RowsOptions = {
  count: number
  /** The estimated height of a row, in pixels. */
  rowHeight: number
  /** At most this many are rendered, on any screen. */
  maxRows: number
  /** Called when the last rows come into reach. */
  onNearEnd: () => void
  /** Called with the rows on the screen, and those near it. */
  onShown?: ((rows: number[]) => void) | undefined
  /** A row that stays rendered. */
  kept?: number | null
}

type WindowRowsOptions = RowsOptions & {
  /** The name of the list: measured heights are remembered by it, so that Back finds its place. */
  name: string
  keyOf: (index: number) => string
  /** The kind of a row, where kinds differ in height; its element has it as `data-kind`. */
  kindOf?: (index: number) => string
  gap: number
  /** The offset of the rows on the page. */
  top: number
  /** The row where an item is now, where a row holds several. */
  itemAt?: (key: string) => number | null
}

const measuredHeights = new Map<string, number>()
const heightName = (list: string, kind = '') => `${list} ${kind}`

/** Virtual rows of a list that scrolls with the page: only those near the screen are rendered. */
export function useWindowRows({
  name,
  keyOf,
  kindOf,
  count,
  rowHeight,
  gap,
  top,
  itemAt,
  kept = null,
  ...options
}: WindowRowsOptions) {
  const { rangeExtractor, focusListeners } = useFocusedRow(options.maxRows, kept)
  const estimates = useEstimates(rowHeight)
  const rows = useWindowVirtualizer({
    count,
    getItemKey: keyOf,
    estimateSize: (index) => estimates(heightName(name, kindOf?.(index))),
    gap,
    overscan: 2,
    scrollMargin: top,
    rangeExtractor,
  })
  const shown = rows.getVirtualItems()
  useSteadyRows({
    all: rows.measurementsCache,
    placeKey: name,
    offset: () => window.scrollY,
    // While the list begins on the screen, new rows show.
    isAtTop: () => window.scrollY <= top,
    move: (distance) => window.scrollBy(0, distance),
    ...(itemAt ? { itemAt: (key) => itemAt(String(key)) } : {}),
  })
  useNearEnd(shown.at(-1)?.index ?? 0, count, options.onNearEnd)
  useShown(shown, options.onShown)
  const { measureElement } = rows
  const measure = useCallback(
    (row: HTMLElement | null) => {
      measureElement(row)
      if (row) measuredHeights.set(heightName(name, row.dataset.kind), row.offsetHeight)
    },
    [measureElement, name],
  )
  const isScrolling = useCallback(() => rows.isScrolling, [rows])
  return { shown, height: rows.getTotalSize(), measure, focusListeners, isScrolling }
}

/**
 * The estimated height of a kind of row: that of the last row measured before this list was shown. It must not change
 * while the list is shown: the library treats a row with exactly the estimated height as not measured, so a new
 * estimate would change it.
 */
function useEstimates(rowHeight: number): (kind: string) => number {
  const [estimates] = useState(() => new Map<string, number>())
  return (kind) => {
    const known = estimates.get(kind)
    if (known !== undefined) return known
    const estimate = measuredHeights.get(kind) ?? rowHeight
    estimates.set(kind, estimate)
    return estimate
  }
}

type ScrollerRowsOptions = RowsOptions & {
  scroller: RefObject<HTMLElement | null>
  /** The key of the scroll position, which Back restores. */
  placeKey: string
  /** The estimated height and the key of each row, where rows differ. */
  each?: { heightOf: (index: number) => number; keyOf: (index: number) => string }
  gap?: number
  padding?: number
}

/** Virtual rows of a list that scrolls by itself. */
export function useScrollerRows({
  count,
  rowHeight,
  scroller,
  placeKey,
  each,
  gap = 0,
  padding = 0,
  kept = null,
  ...options
}: ScrollerRowsOptions) {
  const { rangeExtractor, focusListeners } = useFocusedRow(options.maxRows, kept)
  const initialOffset = useKeptPlace(scroller, placeKey)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: each?.heightOf ?? (() => rowHeight),
    ...(each ? { getItemKey: each.keyOf } : {}),
    gap,
    paddingStart: padding,
    paddingEnd: padding,
    overscan: 4,
    initialOffset,
    rangeExtractor,
  })
  const shown = rows.getVirtualItems()
  useSteadyRows({
    all: rows.measurementsCache,
    placeKey,
    offset: () => scroller.current?.scrollTop ?? 0,
    isAtTop: () => (scroller.current?.scrollTop ?? 0) <= 0,
    move(distance) {
      if (scroller.current) scroller.current.scrollTop += distance
    },
  })
  useNearEnd(shown.at(-1)?.index ?? 0, count, options.onNearEnd)
  useShown(shown, options.onShown)
  const isScrolling = useCallback(() => rows.isScrolling, [rows])
  return { rows, shown, height: rows.getTotalSize(), focusListeners, isScrolling }
}

function useShown(rows: VirtualItem[], onShown: RowsOptions['onShown']): void {
  useEffect(() => onShown?.(rows.map(({ index }) => index)))
}

function useNearEnd(lastShown: number, count: number, onNearEnd: () => void): void {
  useEffect(() => {
    if (lastShown >= count - 4) onNearEnd()
  }, [lastShown, count, onNearEnd])
}

/** Keeps the focused row rendered, so that the focus is not lost. */
function useFocusedRow(maxRows: number, kept: number | null) {
  const focusedRow = useRef<number | null>(null)
  return {
    rangeExtractor(range: Range): number[] {
      const near = defaultRangeExtractor(range).slice(0, maxRows - 2)
      const rows = new Set(near)
      for (const far of [focusedRow.current, kept])
        if (far !== null && far < range.count) rows.add(far)
      return [...rows].toSorted((one, other) => one - other)
    },
    /** For the element around the rows; each row has its `data-index`. */
    focusListeners: {
      onFocus(event: FocusEvent<HTMLElement>) {
        const row = event.target.closest<HTMLElement>('[data-index]')
        focusedRow.current = row ? Number(row.dataset.index) : null
      },
      onBlur() {
        focusedRow.current = null
      },
    },
  }
}
