import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { undo } from '#features/history/index.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'

type UndoImportButtonProps = {
  batch: string
  label: string
  /** The label for screen readers. */
  name?: string
}

/** Undoes a whole import; asks if records were changed since. */
export function UndoImportButton({ batch, label, name }: UndoImportButtonProps) {
  const queryClient = useQueryClient()
  const [isUndoing, setIsUndoing] = useState(false)
  async function undoImport(): Promise<void> {
    setIsUndoing(true)
    await undo({ batch: async () => batch, onUndone: () => readFromTheStart(queryClient) })
    setIsUndoing(false)
  }
  return (
    <Button
      variant="default"
      aria-label={name}
      aria-disabled={isUndoing}
      onClick={() => !isUndoing && undoImport()}
    >
      {isUndoing ? 'Undoing...' : label}
    </Button>
  )
}
