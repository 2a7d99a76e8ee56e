import { memo, useEffect, useId, useRef } from 'react'
import { stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { type BoardColumn, columnKey } from './board-columns.ts'
import classes from './folded-column.module.css'
import { StageDot } from './stage-dot.tsx'
import type { CardHandlers } from './use-board-drag.ts'

type FoldedColumnProps = {
  column: BoardColumn
  isTarget: boolean
  /** The key that brings the lifted card here. */
  digit: number | null
  handlers: CardHandlers
  onFold: (key: string, isFolded: boolean) => void
}

/** A stage as a strip with its name and figures; a card dropped there goes to the top. */
export const FoldedColumn = memo(function FoldedColumn(props: FoldedColumnProps) {
  const { column, isTarget, digit, handlers, onFold } = props
  const { stage_id } = column
  const strip = useRef<HTMLElement>(null)
  const heading = useId()
  const name = stageLabel(column.stage_name)
  useEffect(() => {
    const element = strip.current
    if (!element) return
    const key = columnKey({ stage_id })
    handlers.register(key, {
      element,
      indexAt: () => 0,
      reveal: () => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
      focus() {},
    })
    return () => handlers.register(key, null)
  }, [handlers, stage_id])
  return (
    <section
      ref={strip}
      aria-labelledby={heading}
      className={classes.column}
      data-folded
      data-target={isTarget || undefined}
    >
      <StageDot stage={column.stage_name} digit={digit} />
      <h2 id={heading} className={classes.name} title={name}>
        <bdi>{name}</bdi>
      </h2>
      <span className={classes.quiet}>{shownNumber(column.count)}</span>
      <span className={classes.quiet}>{shownMoney(column.sum)}</span>
      <button
        type="button"
        className={classes.unfold}
        aria-label={`Unfold ${name}`}
        aria-expanded={false}
        title={`Unfold ${name}`}
        onClick={() => onFold(columnKey({ stage_id }), false)}
      />
    </section>
  )
})
