import { stageColor } from '#domain/deal.ts'
import classes from './stage-dot.module.css'

/** The hue of a stage, beside its name. */
export function StageDot({ stage }: { stage: string | null }) {
  const color = stageColor(stage)
  return (
    <span
      aria-hidden
      className={classes.dot}
      data-color={color}
      style={{ background: `var(--mantine-color-${color}-6)` }}
    />
  )
}
