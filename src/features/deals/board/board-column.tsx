import { Button } from '@mantine/core'
import { IconFold, IconPlus } from '@tabler/icons-react'
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { useScrollerRows } from '#ui/virtual-rows.ts'
import { BoardCard, type CardActions, type CardDates, cardHeight } from './board-card.tsx'
import classes from './board-column.module.css'
import { type BoardColumn, type BoardView, columnKey } from './board-columns.ts'
import { useMoreCards } from './queries.ts'
import { StageDot } from './stage-dot.tsx'
import type { CardHandlers } from './use-board-drag.ts'

/** At most this many are rendered, on any screen. */
const maxCards = 40
const gap = 8
const padding = 8

export type ColumnActions = CardActions & { onCreate: (stage: { id: string | null }) => void }

type ColumnProps = {
  column: BoardColumn
  view: BoardView
  /** The held card, if it belongs to this column. */
  liftedId: string | null
  /** The index of the drop place among the other cards. */
  target: number | null
  /** The key that brings the lifted card here. */
  digit: number | null
  dates: CardDates
  handlers: CardHandlers
  actions: ColumnActions
  onFold: (key: string, isFolded: boolean) => void
}

/** A stage with its figures and cards; only cards near the screen are rendered. */
export const Column = memo(function Column(props: ColumnProps) {
  const { column, target, digit, actions, onFold } = props
  const heading = useId()
  const name = stageLabel(column.stage_name)
  return (
    <section
      aria-labelledby={heading}
      className={classes.column}
      data-target={target !== null || undefined}
    >
      <header className={classes.head}>
        <StageDot stage={column.stage_name} digit={digit} />
        <h2 id={heading} className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </h2>
        <span className={classes.count}>{shownNumber(column.count)}</span>
        <IconButton
          className={classes.fold ?? ''}
          aria-label={`Fold ${name}`}
          title="Fold"
          onClick={() => onFold(columnKey(column), true)}
        >
          <IconFold size={16} stroke={1.5} aria-hidden style={{ rotate: '90deg' }} />
        </IconButton>
        <IconButton
          className={classes.create ?? ''}
          aria-label={`Create deal in ${name}`}
          title="Create deal"
          onClick={() => actions.onCreate({ id: column.stage_id })}
          onPointerEnter={actions.onPointAtEdit}
        >
          <IconPlus size={16} stroke={1.5} aria-hidden />
        </IconButton>
      </header>
      <p className={classes.figures}>
        <span>{shownMoney(column.sum)}</span>
        <span
          title={`${shownMoney(column.weighted)}, weighted by a win probability of ${column.win_probability}%`}
        >
          {`${shownMoney(column.weighted)} weighted`}
        </span>
      </p>
      <Cards {...props} name={name} />
    </section>
  )
})

function Cards({
  column,
  view,
  liftedId,
  target,
  dates,
  handlers,
  actions,
  name,
}: ColumnProps & { name: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows: deals, next, stage_id } = column
  const more = useMoreCards(view, stage_id, next)
  const lifted = deals.findIndex(({ id }) => id === liftedId)
  // The card that gets the focus as soon as it is rendered.
  const [wanted, setWanted] = useState<number | null>(null)
  const each = useMemo(
    () => ({
      heightOf: (index: number) => (deals[index] ? cardHeight(deals[index]) : 0),
      keyOf: (index: number) => deals[index]?.id ?? String(index),
    }),
    [deals],
  )
  const { rows, shown, height, focusListeners, isScrolling } = useScrollerRows({
    count: deals.length,
    rowHeight: 94,
    each,
    gap,
    padding,
    maxRows: maxCards,
    scroller,
    placeKey: `deals of ${columnKey(column)}`,
    kept: lifted >= 0 ? lifted : wanted,
    onNearEnd: more.load,
  })

  /** The offset of a place between two cards, in pixels from the top of the list. */
  const offsetOf = useCallback(
    (index: number) => {
      const all = rows.measurementsCache
      const place = lifted >= 0 && index > lifted ? index + 1 : index
      const under = all[place]
      if (under) return under.start - gap / 2
      const last = all.at(-1)
      return last ? last.end + gap / 2 : padding
    },
    [rows, lifted],
  )
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    handlers.register(columnKey({ stage_id }), {
      element,
      indexAt(y) {
        const offset = y - element.getBoundingClientRect().top + element.scrollTop
        const near = rows.getVirtualItemForOffset(offset)
        if (!near) return 0
        const index = offset < near.start + near.size / 2 ? near.index : near.index + 1
        return lifted >= 0 && index > lifted ? index - 1 : index
      },
      focus: setWanted,
      reveal(index) {
        element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        const offset = offsetOf(index)
        const room = 80
        if (offset < element.scrollTop + room) element.scrollTop = offset - room
        else if (offset > element.scrollTop + element.clientHeight - room) {
          element.scrollTop = offset - element.clientHeight + room
        }
      },
    })
    return () => handlers.register(columnKey({ stage_id }), null)
  }, [handlers, stage_id, rows, lifted, offsetOf])

  useLayoutEffect(() => {
    if (wanted === null) return
    const card = scroller.current?.querySelector(`[data-index="${wanted}"]`)
    const link = card?.querySelector<HTMLElement>('[data-card-link]')
    if (!link) return
    link.focus()
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    setWanted(null)
  }, [wanted])

  const isHome = target !== null && target === lifted
  return (
    <div ref={scroller} className={classes.scroller} {...focusListeners}>
      <ul aria-label={`Deals in ${name}`} className={classes.cards} style={{ height }}>
        {shown.map(({ index, start }) => {
          const deal = deals[index]
          return (
            deal && (
              <li
                key={deal.id}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={column.count}
                aria-posinset={index + 1}
                style={{ top: start }}
              >
                <BoardCard
                  deal={deal}
                  isLifted={deal.id === liftedId}
                  dates={dates}
                  handlers={handlers}
                  actions={actions}
                  isScrolling={isScrolling}
                />
              </li>
            )
          )
        })}
      </ul>
      {target !== null && !isHome && (
        <div className={classes.target} data-drop-line style={{ top: offsetOf(target) }} />
      )}
      {deals.length === 0 && <p className={classes.empty}>{target === null ? 'No deals' : ''}</p>}
      {more.hasFailed && (
        <p className={classes.failed} role="alert">
          <span>The next deals could not be loaded.</span>
          <Button variant="default" size="xs" onClick={more.retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}
