import { type ChangeEvent, type ReactNode, useId } from 'react'
import classes from './tick-box.module.css'

type TickBoxProps = {
  'aria-label'?: string
  checked: boolean
  /** Some of what it stands for is ticked. */
  indeterminate?: boolean
  isSmall?: boolean
  /** Round and green, for what is done. */
  isDone?: boolean
  label?: ReactNode
  className?: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A box to tick in lists, which have many of them. */
export function TickBox(props: TickBoxProps) {
  const { checked, indeterminate = false, isSmall, isDone, label, className, onChange } = props
  const id = useId()
  const box = (
    <span className={classes.box} data-small={isSmall || undefined} data-done={isDone || undefined}>
      <input
        id={id}
        type="checkbox"
        className={`${classes.input} mantine-focus-auto`}
        aria-label={props['aria-label']}
        checked={checked}
        onChange={onChange}
        data-indeterminate={indeterminate || undefined}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
      />
      <svg viewBox="0 0 12 12" className={classes.mark} aria-hidden>
        <path
          d={indeterminate ? 'M3 6h6' : 'M2.5 6.5 5 9l4.5-6'}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  )
  if (!label) return box
  return (
    <div className={className ? `${classes.labelled} ${className}` : classes.labelled}>
      {box}
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
