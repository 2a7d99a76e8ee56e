import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { saveRejected } from './save-rejected.ts'
import type { Import } from './use-import.ts'

type RejectedButtonProps = { work: Import; id: string; fileName: string; icon: ReactNode }

/** Saves the rejected rows, so that the user can fix and import them again. */
export function RejectedButton({ work, id, fileName, icon }: RejectedButtonProps) {
  const saving = useMutation({
    mutationFn: () => saveRejected(id, fileName, work.reader()),
    meta: { failed: 'Failed to save the rejected rows' },
  })
  return (
    <Button
      variant="default"
      leftSection={icon}
      aria-disabled={saving.isPending}
      onClick={() => !saving.isPending && saving.mutate()}
    >
      {saving.isPending ? 'Saving...' : 'Download rejected rows'}
    </Button>
  )
}
