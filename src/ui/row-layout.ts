/** A row that is rendered, and its place in the list, in pixels. */
export type PlacedRow = { index: number; key: string; start: number; size: number; end: number }

export type RowRange = { startIndex: number; endIndex: number; count: number }

type Rows = {
  count: number
  keyOf: (index: number) => string
  /** The estimated height of a row, until it is measured. */
  heightOf: (index: number) => number
  gap: number
  /** The offset of the first row. */
  top: number
  /** Space below the last row. */
  foot: number
}

/**
 * Where the rows of a list begin, and which of them are near the screen. A measured row costs an addition for each row
 * after it, and nothing else, so that lists of any length scroll at the same speed.
 */
export class RowLayout {
  /** How far was scrolled, and how much is seen. */
  private offset = 0
  private viewHeight = 0
  private rows: Rows = { count: 0, keyOf: String, heightOf: () => 0, gap: 0, top: 0, foot: 0 }
  /** Measured heights, which last when rows come and go. */
  private readonly heights = new Map<string, number>()
  private sizes = new Float64Array(0)
  private starts = new Float64Array(0)
  /** From here on the starts are outdated. */
  private outdatedFrom = 0

  set(rows: Rows): void {
    const before = this.rows
    this.rows = rows
    if (rows.count !== before.count || rows.keyOf !== before.keyOf) this.readHeights()
    else if (rows.gap !== before.gap || rows.top !== before.top) this.outdatedFrom = 0
  }

  look(view: { offset: () => number; height: () => number }): void {
    this.offset = view.offset()
    this.viewHeight = view.height()
  }

  private readHeights(): void {
    const { count, keyOf, heightOf } = this.rows
    this.sizes = new Float64Array(count)
    this.starts = new Float64Array(count + 1)
    for (let index = 0; index < count; index++)
      this.sizes[index] = this.heights.get(keyOf(index)) ?? heightOf(index)
    this.outdatedFrom = 0
  }

  /** Where a row begins; for the one after the last, where the list would go on. */
  private startOf(index: number): number {
    const { count, gap, top } = this.rows
    if (this.outdatedFrom <= index) {
      this.starts[0] = top
      for (let place = Math.max(1, this.outdatedFrom); place <= count; place++)
        this.starts[place] = (this.starts[place - 1] ?? 0) + (this.sizes[place - 1] ?? 0) + gap
      this.outdatedFrom = count + 1
    }
    return this.starts[index] ?? top
  }

  get count(): number {
    return this.rows.count
  }

  at(index: number): PlacedRow | undefined {
    if (index < 0 || index >= this.rows.count) return undefined
    const start = this.startOf(index)
    const size = this.sizes[index] ?? 0
    return { index, key: this.rows.keyOf(index), start, size, end: start + size }
  }

  keyAt(index: number): string | undefined {
    return index >= 0 && index < this.rows.count ? this.rows.keyOf(index) : undefined
  }

  /** Looks through the whole list. */
  indexOf(key: string): number {
    for (let index = 0; index < this.rows.count; index++)
      if (this.rows.keyOf(index) === key) return index
    return -1
  }

  /** The height of all rows. */
  get height(): number {
    const { count, gap, top, foot } = this.rows
    return count === 0 ? foot : this.startOf(count) - gap - top + foot
  }

  /** The first row that begins at or below an offset; how many rows there are if none does. */
  firstBelow(offset: number): number {
    let [low, high] = [0, this.rows.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.startOf(middle) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The row that lies at an offset, or the nearest above. */
  under(offset: number): PlacedRow | undefined {
    const below = this.firstBelow(offset)
    const isExact = below < this.rows.count && this.startOf(below) === offset
    return this.at(isExact ? below : Math.max(0, below - 1))
  }

  /** The rows on the screen; null while nothing of the list can be seen. */
  range(): RowRange | null {
    const { count, top } = this.rows
    if (count === 0 || this.viewHeight === 0) return null
    const end = top + this.height
    const offset = Math.min(this.offset, Math.max(end - this.viewHeight, 0))
    const startIndex = this.under(offset)?.index ?? 0
    const endIndex = Math.max(startIndex, this.firstBelow(offset + this.viewHeight) - 1)
    return { startIndex, endIndex, count }
  }

  /**
   * Notes the height of a rendered row. Returns by how much everything below it moves while the user looks at that, null
   * if nothing changed.
   */
  measured(index: number, size: number): number | null {
    const key = this.keyAt(index)
    if (key === undefined) return null
    const before = this.sizes[index] ?? 0
    const isFirst = !this.heights.has(key)
    this.heights.set(key, size)
    if (size === before) return null
    const start = this.startOf(index)
    const isAbove = isFirst ? start < this.offset : start + before <= this.offset
    this.sizes[index] = size
    this.outdatedFrom = Math.min(this.outdatedFrom, index + 1)
    return isAbove ? size - before : 0
  }
}
