import type { ReactNode } from 'react'
import classes from './editable-field.module.css'

type FieldRowProps = {
  label: string
  /** For what stands in the row to be named by. */
  labelId?: string
  children: ReactNode
}

/** A fact about a record: its name, and what it is. */
export function FieldRow({ label, labelId, children }: FieldRowProps) {
  return (
    <div className={classes.row}>
      <div className={classes.label} id={labelId}>
        {label}
      </div>
      <div>{children}</div>
    </div>
  )
}
