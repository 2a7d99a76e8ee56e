import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './tint-badge.module.css'

type TintBadgeProps = {
  /** A colour of the theme. */
  color: string
  icon?: ReactNode
  /** Leaves the first letter as the user typed it. */
  isAsTyped?: boolean
  children: string
}

/** A badge with a tinted background and readable text. */
export function TintBadge({ color, icon, isAsTyped = false, children }: TintBadgeProps) {
  return (
    <Box
      component="span"
      className={classes.badge ?? ''}
      data-color={color}
      data-typed={isAsTyped || undefined}
      style={{
        '--tint': `var(--mantine-color-${color}-6)`,
        '--tint-dark': `var(--mantine-color-${color}-9)`,
        '--tint-bright': `var(--mantine-color-${color}-3)`,
      }}
    >
      {icon}
      <span dir="auto">{children}</span>
    </Box>
  )
}
