import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
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
  /** About how high a row is, in pixels. */
  rowHeight: number
  /** At most this many are rendered, on any screen. */
  maxRows: number
  /** Called when the last rows come into reach. */
  onNearEnd: () => void
  /** A row that stays in the document, wherever one scrolls to. */
  kept?: number | null
}

type WindowRowsOptions = RowsOptions & {
  /** Of the list: the heights of its rows are remembered, so that Back finds its place. */
  name: string
  /** What each row is known by when it moves. */
  keyOf: (index: number) => string
  /** Where kinds differ in height: of which kind a row is; its element has it as `data-kind`. */
  kindOf?: (index: number) => string
  gap: number
  /** Where the rows begin on the page. */
  top: number
}

const measuredHeights = new Map<string, number>()
const heightName = (list: string, kind = '') => `${list} ${kind}`

/** Rows of a long list that scrolls with the page; only those near the screen are in the document. */
export function useWindowRows({
  name,
  keyOf,
  kindOf,
  count,
  rowHeight,
  gap,
  top,
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
  useNearEnd(shown.at(-1)?.index ?? 0, count, options.onNearEnd)
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
 * The estimated height of a row of a kind: that of the last row measured before this list was shown. It must
 * not change while the list is shown: a row that is exactly as high as its estimate counts as not measured,
 * and would get the height of another row with a new estimate.
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
  /** Where rows differ: about how high each is, and what it is known by when it moves. */
  each?: { heightOf: (index: number) => number; keyOf: (index: number) => string }
  gap?: number
  /** At both ends. */
  padding?: number
}

/** The same for a list with a scroll bar of its own. */
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
  useNearEnd(shown.at(-1)?.index ?? 0, count, options.onNearEnd)
  return { rows, shown, height: rows.getTotalSize(), focusListeners }
}

function useNearEnd(lastShown: number, count: number, onNearEnd: () => void): void {
  useEffect(() => {
    if (lastShown >= count - 4) onNearEnd()
  }, [lastShown, count, onNearEnd])
}

/** The row that the keyboard is in stays, or the focus would be lost with it. */
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
    /** For the element around the rows, each of which has its `data-index`. */
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

/** How far the list was scrolled when the page was left, and from now on kept for next time. */
function useKeptPlace(scroller: RefObject<HTMLElement | null>, placeKey: string): number {
  const name = `place of ${placeKey}`
  const [initialOffset] = useState(() => placeIn(name))
  useEffect(() => keepPlace(scroller.current, name, 'scrollTop'), [scroller, name])
  return initialOffset
}

/** The same for what scrolls sideways. */
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
      // Where nothing can be kept, a list begins at its top.
    }
  }
  element.addEventListener('scrollend', keep)
  // Before a click leads away, however it was scrolled.
  element.addEventListener('pointerdown', keep)
  element.addEventListener('keydown', keep)
  return () => {
    element.removeEventListener('scrollend', keep)
    element.removeEventListener('pointerdown', keep)
    element.removeEventListener('keydown', keep)
  }
}

/** How wide an element is, and where it begins on the page. */
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
    // What stands above may come and go.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { element, ...place }
}
