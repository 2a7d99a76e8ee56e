import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useCellEditing } from '#ui/cell-editing.ts'
import edit from '#ui/editable-field.module.css'
import { FieldRow } from '#ui/field-row.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import { TagBadges } from './tag-badges.tsx'
import { TagInput } from './tag-input.tsx'

type EditableTagsProps = {
  label: string
  value: readonly string[]
  /** Called once, when the field is left. */
  onChoose: (tags: string[]) => void
}

/** The tags of a record, edited in place: Enter or leaving the field saves, Escape restores. */
export function EditableTags({ label, value, onChoose }: EditableTagsProps) {
  const cell = useCellEditing()
  const [edited, setEdited] = useState<string[] | null>(cell ? [...value] : null)
  const button = useRef<HTMLButtonElement>(null)
  const isBackWanted = useRef(false)
  const isChanged = edited !== null && edited.join('\n') !== value.join('\n')
  useLeaveQuestion(isChanged)
  const isOpen = edited !== null
  useEffect(() => {
    if (!isOpen && isBackWanted.current) button.current?.focus()
    isBackWanted.current = false
  }, [isOpen])

  function close(isSaved: boolean): void {
    setEdited(null)
    if (isSaved && isChanged) onChoose(edited)
    cell?.onSettled()
  }

  if (edited === null) {
    // The table shows the value.
    if (cell) return null
    return (
      <FieldRow label={label}>
        <button
          ref={button}
          type="button"
          className={`${edit.text} ${edit.choice}`}
          onClick={() => setEdited([...value])}
        >
          <VisuallyHidden>{`Edit ${label}: `}</VisuallyHidden>
          {value.length > 0 ? (
            <TagBadges tags={value} />
          ) : (
            <span className={edit.empty}>Empty</span>
          )}
        </button>
      </FieldRow>
    )
  }
  return (
    <FieldRow label={label}>
      <TagInput
        aria-label={label}
        value={edited}
        onChange={setEdited}
        autoFocus
        onBlur={() => close(true)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          const isDone = event.key === 'Enter' && event.currentTarget.value.trim() === ''
          if (event.key !== 'Escape' && !isDone) return
          event.preventDefault()
          event.stopPropagation()
          isBackWanted.current = true
          close(isDone)
        }}
      />
    </FieldRow>
  )
}
