import { Box } from '@mantine/core'
import classes from './tint-badge.module.css'

type TintBadgeProps = {
  /** A colour of the theme. */
  color: string
  children: string
}

/** A word on a tinted ground, dark enough to be read. */
export function TintBadge({ color, children }: TintBadgeProps) {
  return (
    <Box
      component="span"
      className={classes.badge ?? ''}
      style={{
        '--tint': `var(--mantine-color-${color}-6)`,
        '--tint-dark': `var(--mantine-color-${color}-9)`,
        '--tint-bright': `var(--mantine-color-${color}-3)`,
      }}
    >
      {children}
    </Box>
  )
}
