import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './stat-card.module.css'

/** Stands where a figure is still on its way. */
export const noFigure = '–'

/** Cards with figures, as many in a row as there is room for. */
export function StatCards({ children }: { children: ReactNode }) {
  return <div className={classes.cards}>{children}</div>
}

type StatCardProps = {
  name: string
  value: string
  /** What explains the figure, below it. */
  children?: ReactNode
}

/** One figure under its name. */
export function StatCard({ name, value, children }: StatCardProps) {
  return (
    <Box className={classes.card ?? ''} role="group" aria-label={name}>
      <div className={classes.name}>{name}</div>
      <div className={classes.value}>{value}</div>
      {children && <div className={classes.more}>{children}</div>}
    </Box>
  )
}
