import { IconPencil } from '@tabler/icons-react'
import { IconButton } from './icon-button.tsx'

type EditButtonProps = {
  /** What is edited. */
  name: string
  onEdit: () => void
  /** The user points at it, so what it opens can be loaded. */
  onPointAtEdit?: () => void
}

/** The pencil of a row or a card. */
export function EditButton({ name, onEdit, onPointAtEdit }: EditButtonProps) {
  return (
    <IconButton
      aria-label={`Edit ${name}`}
      title="Edit"
      onClick={onEdit}
      onPointerEnter={onPointAtEdit}
      onFocus={onPointAtEdit}
    >
      <IconPencil size={16} stroke={1.5} aria-hidden />
    </IconButton>
  )
}
