import { UnstyledButton } from '@mantine/core'
import classes from './tasks.module.css'

type TaskTitleProps = { title: string; onEdit: () => void; onPointAtEdit?: () => void }

/** A task has no page of its own: its title opens the form. */
export function TaskTitle({ title, onEdit, onPointAtEdit }: TaskTitleProps) {
  return (
    <UnstyledButton
      className={classes.open ?? ''}
      data-row-link
      dir="auto"
      title={title}
      aria-haspopup="dialog"
      onClick={onEdit}
      onPointerEnter={onPointAtEdit}
      onFocus={onPointAtEdit}
    >
      {title}
    </UnstyledButton>
  )
}
