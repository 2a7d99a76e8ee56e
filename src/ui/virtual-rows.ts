import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { type PlacedRow, RowLayout, type RowRange } from './row-layout.ts'

type RowsOptions = {
  count: number
  /** The estimated height of a row, in pixels. */
  rowHeight: number
  /** At most this many are rendered, on any screen. */
  maxRows: number
  /** Called when the last rows come into reach. */
  onNearEnd: () => void
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
  /** Where a row holds several items, these and how many a row holds. */
  items?: { all: readonly { id: string }[]; perRow: number }
}

/** An item's row, and the item after it. */
type ItemPlace = { row: number; next: string | undefined }

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
  items,
  kept = null,
  ...options
}: WindowRowsOptions) {
  const estimates = useEstimates(rowHeight)
  const [layout] = useState(() => new RowLayout())
  layout.set({
    count,
    keyOf,
    heightOf: (index) => estimates(heightName(name, kindOf?.(index))),
    gap,
    top,
    foot: 0,
  })
  const { rowsNear, focusListeners } = useFocusedRow(options.maxRows, 2, kept)
  const shown = rowsNear(layout)
  const measure = useMeasuredRows(layout, pageView, (row, height) =>
    measuredHeights.set(heightName(name, row.dataset.kind), height),
  )
  useSteadyRows({
    layout,
    placeKey: name,
    view: pageView,
    // While the list begins on the screen, new rows show.
    isAtTop: () => window.scrollY <= top,
    items,
  })
  useNearEnd(shown.at(-1)?.index ?? 0, count, options.onNearEnd)
  return { shown, height: layout.height, measure, focusListeners }
}

/**
 * The estimated height of a kind of row: that of the last row measured before this list was shown. It does not change
 * while the list is shown, so that what was not measured yet stays where it is.
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

type ScrollerRowsOptions = Omit<RowsOptions, 'rowHeight'> & {
  scroller: RefObject<HTMLElement | null>
  /** The key of the scroll position, which Back restores. */
  placeKey: string
  /** The estimated height and the key of each row. */
  each: { heightOf: (index: number) => number; keyOf: (index: number) => string }
  gap?: number
  padding?: number
}

/** Virtual rows of a list that scrolls by itself. */
export function useScrollerRows({
  count,
  scroller,
  placeKey,
  each,
  gap = 0,
  padding = 0,
  kept = null,
  ...options
}: ScrollerRowsOptions) {
  const initialOffset = useKeptPlace(scroller, placeKey)
  const [layout] = useState(() => new RowLayout())
  const [view] = useState(() => scrollerView(scroller, initialOffset))
  layout.set({ count, ...each, gap, top: padding, foot: padding })
  const { rowsNear, focusListeners } = useFocusedRow(options.maxRows, 4, kept)
  const shown = rowsNear(layout)
  const measure = useMeasuredRows(layout, view)
  useSteadyRows({ layout, placeKey, view, isAtTop: () => view.offset() <= 0 })
  useNearEnd(shown.at(-1)?.index ?? 0, count, options.onNearEnd)
  return { layout, shown, height: padding + layout.height, measure, focusListeners }
}

/** What a list scrolls in; offsets are in the measure of its rows. */
type View = {
  offset: () => number
  height: () => number
  move: (distance: number) => void
  /** Calls back when it was scrolled, and when its size has changed; returns how to end that. */
  watch: (onScroll: () => void, onResize: () => void) => () => void
}

const pageView: View = {
  offset: () => window.scrollY,
  height: () => window.innerHeight,
  move: (distance) => window.scrollBy(0, distance),
  watch(onScroll, onResize) {
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', onResize)
    return () => {
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', onResize)
    }
  },
}

function scrollerView(scroller: RefObject<HTMLElement | null>, initialOffset: number): View {
  let isNew = true
  return {
    offset: () => scroller.current?.scrollTop ?? 0,
    height: () => scroller.current?.offsetHeight ?? 0,
    move(distance) {
      if (scroller.current) scroller.current.scrollTop += distance
    },
    watch(onScroll, onResize) {
      const element = scroller.current
      if (!element) return () => {}
      if (isNew && initialOffset > 0) element.scrollTop = initialOffset
      isNew = false
      element.addEventListener('scroll', onScroll, { passive: true })
      const observer = new ResizeObserver(onResize)
      observer.observe(element)
      return () => {
        element.removeEventListener('scroll', onScroll)
        observer.disconnect()
      }
    },
  }
}

/**
 * Renders again when other rows come near the screen, or a row has another height than expected. Returns the `ref` of
 * every row, which has its index as `data-index`.
 */
function useMeasuredRows(
  layout: RowLayout,
  view: View,
  onMeasured?: (row: HTMLElement, height: number) => void,
): (row: HTMLElement | null) => (() => void) | undefined {
  const [, render] = useReducer((times: number) => times + 1, 0)
  const shown = layout.range()
  const latest = useRef({ shown, onMeasured })
  // How far the page moves once the rows are where they belong.
  const distance = useRef(0)
  const [fresh] = useState(() => new Set<HTMLElement>())
  const [observer] = useState(
    () =>
      new ResizeObserver((entries) => {
        const isChanged = entries
          .map(({ target, borderBoxSize }) =>
            note(target as HTMLElement, Math.round(borderBoxSize?.[0]?.blockSize ?? 0)),
          )
          .includes(true)
        // Not at once: what is observed must not change while that is told.
        if (isChanged) render()
      }),
  )

  /** Notes the height of a row; returns whether others are moved by it. */
  function note(row: HTMLElement, height: number): boolean {
    // A hidden one has none.
    if (height === 0 || !row.isConnected) return false
    latest.current.onMeasured?.(row, height)
    const moved = layout.measured(Number(row.dataset.index), height)
    distance.current += moved ?? 0
    return moved !== null
  }
  useLayoutEffect(() => {
    latest.current = { shown, onMeasured }
    const isChanged = [...fresh].map((row) => note(row, row.offsetHeight)).includes(true)
    fresh.clear()
    if (isChanged) render()
    else if (distance.current !== 0) {
      view.move(distance.current)
      distance.current = 0
      layout.look(view)
    }
  })
  useLayoutEffect(() => {
    function follow(isScrolled: boolean): void {
      layout.look(view)
      if (isSame(layout.range(), latest.current.shown)) return
      // New rows stand in the frame in which they come into view.
      if (isScrolled) flushSync(render)
      else render()
    }
    const end = view.watch(
      () => follow(true),
      () => follow(false),
    )
    follow(false)
    return end
  }, [layout, view])
  return useCallback(
    (row: HTMLElement | null) => {
      if (!row) return
      fresh.add(row)
      observer.observe(row)
      return () => {
        fresh.delete(row)
        observer.unobserve(row)
      }
    },
    [fresh, observer],
  )
}

function isSame(one: RowRange | null, other: RowRange | null): boolean {
  return one?.startIndex === other?.startIndex && one?.endIndex === other?.endIndex
}

type Anchor = {
  key: string
  index: number
  start: number
  next: string | undefined
  placeKey: string
}

type SteadyRows = {
  layout: RowLayout
  /** Another list, or another view of it, begins anew. */
  placeKey: string
  view: View
  isAtTop: () => boolean
  items?: WindowRowsOptions['items']
}

/**
 * Keeps the rows on the screen in place when others come in or leave above them, as changes of another window do. At the
 * top of the list new rows show. Where the order itself is another one, the place stays and the rows change.
 */
function useSteadyRows({ layout, placeKey, view, isAtTop, items }: SteadyRows): void {
  const anchor = useRef<Anchor | null>(null)
  useLayoutEffect(() => {
    const before = anchor.current
    const isSameRow = before === null || layout.keyAt(before.index) === before.key
    if (before?.placeKey === placeKey && !isSameRow && !isAtTop()) {
      // Only now, because it looks through the whole list.
      const now = placeOf(before.key, layout, items)
      const start = now && layout.at(now.row)?.start
      if (typeof start === 'number' && now?.next === before.next && start !== before.start)
        view.move(start - before.start)
    }
    const first = layout.at(layout.firstBelow(view.offset()))
    anchor.current = first
      ? { ...first, next: keyAfter(first.index, layout, items), placeKey }
      : null
  })
}

type Items = WindowRowsOptions['items']

function placeOf(key: string, layout: RowLayout, items: Items): ItemPlace | null {
  const place = items ? items.all.findIndex(({ id }) => id === key) : layout.indexOf(key)
  if (place === -1) return null
  return items
    ? { row: Math.floor(place / items.perRow), next: items.all[place + 1]?.id }
    : { row: place, next: layout.keyAt(place + 1) }
}

/** What comes after the first item of a row. */
function keyAfter(row: number, layout: RowLayout, items: Items): string | undefined {
  return items ? items.all[row * items.perRow + 1]?.id : layout.keyAt(row + 1)
}

function useNearEnd(lastShown: number, count: number, onNearEnd: () => void): void {
  useEffect(() => {
    if (lastShown >= count - 4) onNearEnd()
  }, [lastShown, count, onNearEnd])
}

/** The rows near the screen, and the focused one, so that the focus is not lost. */
function useFocusedRow(maxRows: number, overscan: number, kept: number | null) {
  const focusedRow = useRef<number | null>(null)
  return {
    rowsNear(layout: RowLayout): PlacedRow[] {
      const range = layout.range()
      if (!range) return []
      const first = Math.max(0, range.startIndex - overscan)
      const last = Math.min(range.count - 1, range.endIndex + overscan, first + maxRows - 3)
      const rows = new Set(Array.from({ length: last - first + 1 }, (_, place) => first + place))
      for (const far of [focusedRow.current, kept])
        if (far !== null && far < range.count) rows.add(far)
      return [...rows]
        .toSorted((one, other) => one - other)
        .flatMap((index) => layout.at(index) ?? [])
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
