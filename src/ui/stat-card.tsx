import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './stat-card.module.css'

/** Shown until a figure is loaded. */
export const noFigure = '–'

type StatCardsProps = {
  /** In one line, where the figures must leave the room to what they count. */
  isCompact?: boolean
  children: ReactNode
}

/** A row of cards with figures. */
export function StatCards({ isCompact = false, children }: StatCardsProps) {
  return <div className={isCompact ? classes.line : classes.cards}>{children}</div>
}

type StatCardProps = {
  name: string
  value: string
  /** The caption below the figure. */
  children?: ReactNode
}

/** A card with one figure. */
export function StatCard({ name, value, children }: StatCardProps) {
  return (
    <Box className={classes.card ?? ''} role="group" aria-label={name}>
      <div className={classes.name}>{name}</div>
      <div className={classes.value} data-long={value.length > 11 || undefined}>
        {value}
      </div>
      {children && <div className={classes.more}>{children}</div>}
    </Box>
  )
}
