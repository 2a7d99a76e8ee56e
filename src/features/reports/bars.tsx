import { Box } from '@mantine/core'
import classes from './charts.module.css'

export type BarLine = { name: string; value: number; label: string; color: string }

/** A bar chart with name and figure on each line, so that no legend is needed. */
export function Bars({ lines }: { lines: BarLine[] }) {
  const most = Math.max(...lines.map(({ value }) => value), 1)
  return (
    <div className={classes.bars}>
      {lines.map(({ name, value, label, color }) => (
        <div key={name} className={classes.bar}>
          <span className={classes.barName} title={name}>
            <bdi>{name}</bdi>
          </span>
          <span className={classes.track}>
            <Box
              component="span"
              className={classes.fill ?? ''}
              style={{
                width: `${(value / most) * 100}%`,
                '--hue': `var(--mantine-color-${color}-6)`,
              }}
            />
          </span>
          <span className={classes.barLabel}>{label}</span>
        </div>
      ))}
    </div>
  )
}
