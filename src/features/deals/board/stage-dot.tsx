import { stageColor } from '#domain/deal.ts'
import classes from './stage-dot.module.css'

type StageDotProps = {
  stage: string | null
  /** The key for this stage, while a card is moved by keyboard; of one digit. */
  digit?: number | null
}

/** The hue of a stage, beside its name. */
export function StageDot({ stage, digit }: StageDotProps) {
  if (typeof digit === 'number' && digit < 10) return <kbd className={classes.digit}>{digit}</kbd>
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
