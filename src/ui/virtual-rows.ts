import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

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
  return { shown, height: rows.getTotalSize(), measure, focusListeners }
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
  return { rows, shown, height: rows.getTotalSize(), focusListeners }
}

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
function useSteadyRows({ all, placeKey, offset, isAtTop, move, itemAt }: SteadyRows): void {
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
 * How far most rows that were on the screen are from where they were: a single one may have been moved by an edit. Where
 * each has gone its own way, others came in between them, unless the order itself is another one.
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

/** The saved scroll position of the list, which is saved again when the page is left. */
function useKeptPlace(scroller: RefObject<HTMLElement | null>, placeKey: string): number {
  const name = `place of ${placeKey}`
  const [initialOffset] = useState(() => placeIn(name))
  useEffect(() => keepPlace(scroller.current, name, 'scrollTop'), [scroller, name])
  return initialOffset
}

/** The same for sideways scrolling. */
export function useSidewaysPlace(scroller: RefObject<HTMLElement | null>, placeKey: string): void {
  const name = `place of ${placeKey}`
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = placeIn(name)
  }, [scroller, name])
  useEffect(() => keepPlace(scroller.current, name, 'scrollLeft'), [scroller, name])
}

function placeIn(name: string): number {
  try {
    return Number(window.sessionStorage.getItem(name) ?? 0)
  } catch {
    return 0
  }
}

function keepPlace(
  element: HTMLElement | null,
  name: string,
  axis: 'scrollTop' | 'scrollLeft',
): (() => void) | undefined {
  if (!element) return
  function keep(): void {
    try {
      window.sessionStorage.setItem(name, String(Math.round(element?.[axis] ?? 0)))
    } catch {
      // Without storage, a list begins at its top.
    }
  }
  element.addEventListener('scrollend', keep)
  // Save before a click on a link.
  element.addEventListener('pointerdown', keep)
  element.addEventListener('keydown', keep)
  return () => {
    element.removeEventListener('scrollend', keep)
    element.removeEventListener('pointerdown', keep)
    element.removeEventListener('keydown', keep)
  }
}

/** The width of an element and its offset on the page. */
export function usePlace<Place extends HTMLElement>() {
  const element = useRef<Place>(null)
  const [place, setPlace] = useState(() => ({ width: window.innerWidth, top: 0 }))
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const measure = () => {
      const width = measured.clientWidth
      const top = Math.round(measured.getBoundingClientRect().top + window.scrollY)
      setPlace((now) => (now.width === width && now.top === top ? now : { width, top }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    // Content above the list may change its offset.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { element, ...place }
}
