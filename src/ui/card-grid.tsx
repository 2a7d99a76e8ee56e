import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import classes from './card-grid.module.css'

const gap = 12
/** However tall the screen is. */
const maxCards = 60

type CardGridProps<Item extends { id: string }> = {
  label: string
  items: Item[]
  /** How many there are in all, read and unread. */
  total: number | undefined
  /** About how high a card is, in pixels; all are of one height. */
  cardHeight: number
  renderCard: (item: Item) => ReactNode
  /** Called when the last cards come near. */
  onNearEnd: () => void
  /** What stands there is not yet what was asked for. */
  isOutdated?: boolean
}

/** Cards in one, two or three columns; only those near the screen are in the document. */
export function CardGrid<Item extends { id: string }>({
  label,
  items,
  total,
  cardHeight,
  renderCard,
  onNearEnd,
  isOutdated = false,
}: CardGridProps<Item>) {
  const { element, columns, top } = usePlace<HTMLUListElement>()
  const focusedRow = useRef<number | null>(null)
  const rowCount = Math.ceil(items.length / columns)
  const rows = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => cardHeight,
    gap,
    overscan: 2,
    scrollMargin: top,
    rangeExtractor(range) {
      const near = defaultRangeExtractor(range).slice(0, Math.floor(maxCards / columns) - 1)
      const focused = focusedRow.current
      // The card that the keyboard is in stays, or the focus would be lost with it.
      if (focused === null || focused >= range.count || near.includes(focused)) return near
      return [...near, focused].toSorted((one, other) => one - other)
    },
  })
  const shown = rows.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rowCount - 4) onNearEnd()
  }, [lastShown, rowCount, onNearEnd])

  return (
    <ul
      ref={element}
      aria-label={label}
      aria-busy={isOutdated}
      className={isOutdated ? `${classes.grid} ${classes.outdated}` : classes.grid}
      style={{ height: rows.getTotalSize() }}
      onFocus={(event) => {
        const card = event.target.closest<HTMLElement>('[data-index]')
        focusedRow.current = card ? Number(card.dataset.index) : null
      }}
      onBlur={() => {
        focusedRow.current = null
      }}
    >
      {shown.flatMap((row) =>
        items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
          <li
            key={item.id}
            data-index={row.index}
            // All of a row are of one height, so one tells.
            ref={column === 0 ? rows.measureElement : undefined}
            aria-setsize={total ?? -1}
            aria-posinset={row.index * columns + column + 1}
            className={classes.card}
            style={{
              width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
              left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
              transform: `translateY(${row.start - top}px)`,
            }}
          >
            {renderCard(item)}
          </li>
        )),
      )}
    </ul>
  )
}

type CardGridSkeletonProps = { text: string; cardHeight: number }

const skeletons = Array.from({ length: 9 }, (_, index) => `card ${index}`)

/** Cards on their way, of the shape they will have. */
export function CardGridSkeleton({ text, cardHeight }: CardGridSkeletonProps) {
  const { element, columns } = usePlace<HTMLDivElement>()
  return (
    <div ref={element} role="status">
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <SimpleGrid cols={columns} spacing={gap} aria-hidden>
        {skeletons.map((key) => (
          <Skeleton key={key} height={cardHeight} radius="md" />
        ))}
      </SimpleGrid>
    </div>
  )
}

/** Where the grid begins on the page, and how many columns it has room for. */
function usePlace<Grid extends HTMLElement>() {
  const element = useRef<Grid>(null)
  const [place, setPlace] = useState(() => ({ columns: columnsFor(window.innerWidth), top: 0 }))
  useLayoutEffect(() => {
    const grid = element.current
    if (!grid) return
    const measure = () => {
      const columns = columnsFor(grid.clientWidth)
      const top = Math.round(grid.getBoundingClientRect().top + window.scrollY)
      setPlace((now) => (now.columns === columns && now.top === top ? now : { columns, top }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(grid)
    // What stands above may come and go.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { element, ...place }
}

export function columnsFor(width: number): number {
  if (width < 600) return 1
  return width < 960 ? 2 : 3
}
