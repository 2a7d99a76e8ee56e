import type { ReactNode } from 'react'
import classes from './editable-field.module.css'

type FieldRowProps = { label: string; children: ReactNode }

/** A label and a value. */
export function FieldRow({ label, children }: FieldRowProps) {
  return (
    <div className={classes.row}>
      <div className={classes.label}>{label}</div>
      <div className={classes.cell}>{children}</div>
    </div>
  )
}

/** A value that cannot be edited. */
export function FieldFact({ label, children }: FieldRowProps) {
  return (
    <FieldRow label={label}>
      <div className={classes.text}>{children}</div>
    </FieldRow>
  )
}
