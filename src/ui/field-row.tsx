import type { ReactNode } from 'react'
import { useCellEditing } from './cell-editing.ts'
import classes from './editable-field.module.css'

type FieldRowProps = { label: string; children: ReactNode }

/** A label and a value; in a cell, whose column has the label, the value alone. */
export function FieldRow({ label, children }: FieldRowProps) {
  if (useCellEditing()) return children
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
