import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { undo } from './undo-toast.ts'

type UndoEntryProps = { batch: string; what: string }

/** Undoes the batch of an entry. */
export function UndoEntry({ batch, what }: UndoEntryProps) {
  const queryClient = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  async function undoBatch(): Promise<void> {
    setIsPending(true)
    await undo({ batch: async () => batch, onUndone: () => readFromTheStart(queryClient) })
    setIsPending(false)
  }
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={`Undo: ${what}`}
      loading={isPending}
      onClick={undoBatch}
    >
      Undo
    </Button>
  )
}
