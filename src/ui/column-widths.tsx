import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import classes from './column-widths.module.css'

/** The widths of columns that the user set, in pixels, by the column's key. */
export type ColumnWidths = Record<string, number>

export type Sized = {
  key: string
  header: string
  /** The minimum width in pixels; the remaining width is shared by `grow`. */
  width: number
  grow: number
}

/** The width of each column: as set, and otherwise its share of what remains. */
export function columnWidths(columns: Sized[], width: number, set: ColumnWidths): number[] {
  const free = columns.filter(({ key }) => set[key] === undefined)
  const least = columns.reduce((sum, each) => sum + (set[each.key] ?? each.width), 0)
  const grow = free.reduce((sum, each) => sum + each.grow, 0)
  const spare = Math.max(0, width - least)
  return columns.map((each) => set[each.key] ?? each.width + (spare * each.grow) / grow)
}

export const narrowest = 60
export const widest = 800

/**
 * The widths after one column was resized. Those before it stay as they are shown, so that its edge follows the
 * pointer; those after it share what remains.
 */
export function resized(
  columns: Sized[],
  shown: number[],
  set: ColumnWidths,
  { index, width }: { index: number; width: number },
): ColumnWidths {
  const next = { ...set }
  for (const [place, { key }] of columns.entries()) {
    if (place < index) next[key] = Math.round(shown[place] ?? 0)
    else if (place === index) next[key] = Math.round(Math.min(widest, Math.max(narrowest, width)))
  }
  return next
}

/** A key press changes the width by this many pixels. */
const step = 16

type ResizeHandleProps = {
  header: string
  width: number
  /** While it is dragged. */
  onDrag: (width: number) => void
  onResize: (width: number) => void
  /** Back to the usual width. */
  onReset: () => void
}

/** The edge of a column: dragged, moved by the arrow keys, set back by a double click or Enter. */
export function ResizeHandle({ header, width, onDrag, onResize, onReset }: ResizeHandleProps) {
  const drag = useRef<{ from: number; width: number; last: number } | null>(null)
  function begin(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width, last: width }
  }
  function move({ clientX }: PointerEvent): void {
    if (!drag.current) return
    drag.current.last = drag.current.width + clientX - drag.current.from
    onDrag(drag.current.last)
  }
  function end(): void {
    const ended = drag.current
    drag.current = null
    if (ended && ended.last !== ended.width) onResize(ended.last)
  }
  function press(event: KeyboardEvent): void {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (by === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (by === undefined) onReset()
    else onResize(width + by)
  }
  return (
    <hr
      aria-orientation="vertical"
      aria-label={`Width of ${header}`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      className={classes.handle}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={onReset}
      onKeyDown={press}
    />
  )
}
