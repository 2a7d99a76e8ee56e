import { Skeleton, Text } from '@mantine/core'
import { memo, type ReactNode, useCallback, useDeferredValue } from 'react'
import classes from './card-grid.module.css'
import { usePlace } from './kept-place.ts'
import { useListKeys } from './list-keys.ts'
import { listHint, type RowKeys } from './list-shortcuts.ts'
import { useWindowRows } from './virtual-rows.ts'

const gap = 12
/** At most this many are rendered, on any screen. */
const maxCards = 60

type CardGridProps<Item extends { id: string }> = {
  label: string
  items: Item[]
  /** How many rows there are in all, loaded or not. */
  total: number | undefined
  /** The estimated height of a card, in pixels; all have the same. */
  cardHeight: number
  renderCard: (item: Item) => ReactNode
  keys: RowKeys<Item>
  /** Called when the last cards come into reach. */
  onNearEnd: () => void
  /** Called with the places of the cards on the screen. */
  onShown?: ((places: number[]) => void) | undefined
  /** The rows belong to the view before; the new one is loading. */
  isOutdated?: boolean
}

/** Cards in one to three columns; only those near the screen are rendered. */
export function CardGrid<Item extends { id: string }>({
  label,
  items,
  total,
  cardHeight,
  renderCard,
  keys,
  onNearEnd,
  onShown,
  isOutdated = false,
}: CardGridProps<Item>) {
  const { element, width, top } = usePlace<HTMLUListElement>()
  const columns = columnsFor(width)
  const { activeIndex, rowProps } = useListKeys({ element, rows: items, columns, keys })
  const { shown, height, measure, focusListeners, isScrolling } = useWindowRows({
    name: `${label} in ${columns}`,
    keyOf: useCallback((row) => items[row * columns]?.id ?? String(row), [items, columns]),
    itemAt(key) {
      const place = items.findIndex(({ id }) => id === key)
      return place === -1 ? null : Math.floor(place / columns)
    },
    count: Math.ceil(items.length / columns),
    rowHeight: cardHeight,
    gap,
    maxRows: Math.floor(maxCards / columns),
    top,
    onNearEnd,
    onShown: (rows) =>
      onShown?.(
        rows.flatMap((row) => Array.from({ length: columns }, (_, n) => row * columns + n)),
      ),
    kept: activeIndex === null ? null : Math.floor(activeIndex / columns),
  })

  return (
    <ul
      ref={element}
      aria-label={label}
      aria-busy={isOutdated}
      {...listHint}
      className={isOutdated ? `${classes.grid} ${classes.outdated}` : classes.grid}
      style={{ height }}
      {...focusListeners}
    >
      {shown.flatMap((row) =>
        items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
          <li
            key={item.id}
            data-index={row.index}
            {...rowProps(item.id)}
            // All cards of a row have the same height: measure the first.
            ref={column === 0 ? measure : undefined}
            aria-setsize={total ?? -1}
            aria-posinset={row.index * columns + column + 1}
            className={classes.card}
            style={{
              width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
              left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
              transform: `translateY(${row.start - top}px)`,
            }}
          >
            <Card
              item={item}
              renderCard={renderCard}
              height={cardHeight}
              isScrolling={isScrolling}
            />
          </li>
        )),
      )}
    </ul>
  )
}

type CardProps<Item> = Pick<CardGridProps<Item & { id: string }>, 'renderCard'> & {
  item: Item & { id: string }
  height: number
  isScrolling: () => boolean
}

/**
 * Memoised, so that scrolling renders only new cards. One that comes while the page scrolls keeps its place, and is rendered in
 * short pieces of work, which the next turn of the wheel interrupts.
 */
const Card = memo(CardBase) as typeof CardBase // memo drops the type parameter

function CardBase<Item>({ item, renderCard, height, isScrolling }: CardProps<Item>) {
  const isWhole = useDeferredValue(true, !isScrolling())
  return isWhole ? renderCard(item) : <div className={classes.coming} style={{ height }} />
}

type CardGridSkeletonProps = { text: string; cardHeight: number }

const skeletons = Array.from({ length: 9 }, (_, index) => `card ${index}`)

/** Placeholders while the cards load. */
export function CardGridSkeleton({ text, cardHeight }: CardGridSkeletonProps) {
  const { element, width } = usePlace<HTMLDivElement>()
  return (
    <div ref={element} role="status" className={classes.waiting}>
      {/* On the first card, so that the cards lie where they will. */}
      <Text size="sm" c="dimmed" className={classes.loading ?? ''}>
        {text}
      </Text>
      <div
        className={classes.placeholders}
        style={{ gridTemplateColumns: `repeat(${columnsFor(width)}, minmax(0, 1fr))`, gap }}
        aria-hidden
      >
        {skeletons.map((key) => (
          <Skeleton key={key} height={cardHeight} radius="md" />
        ))}
      </div>
    </div>
  )
}

export function columnsFor(width: number): number {
  if (width < 600) return 1
  return width < 960 ? 2 : 3
}
