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
      {indeterminate ? (
        <svg viewBox="0 0 32 6" className={classes.mark} fill="none" aria-hidden>
          <rect width="32" height="6" fill="currentColor" rx="3" />
        </svg>
      ) : (
        <svg viewBox="0 0 10 7" className={classes.mark} fill="none" aria-hidden>
          <path
            d="M4 4.586L1.707 2.293A1 1 0 1 0 .293 3.707l3 3a.997.997 0 0 0 1.414 0l5-5A1 1 0 1 0 8.293.293L4 4.586z"
            fill="currentColor"
          />
        </svg>
      )}
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
