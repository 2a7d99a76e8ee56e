import { useState } from 'react'
import { DealSelect, useDealName } from '#features/deals/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useSetThreadDeal } from './conversation/queries.ts'

type AboutDealDialogProps = { thread: string; deal: string | null; onClose: () => void }

/** Which deal a conversation is about: its mails show there. */
export function AboutDealDialog({ thread, deal, onClose }: AboutDealDialogProps) {
  const save = useSetThreadDeal()
  const name = useDealName(deal ?? undefined)
  const [typed, setTyped] = useState<{ id: string; name: string } | null | undefined>(undefined)
  const chosen = typed === undefined ? (deal ? { id: deal, name: name ?? '…' } : null) : typed
  const isDirty = (chosen?.id ?? null) !== deal
  return (
    <FormDialog
      title="About deal"
      submitLabel="Save"
      isDirty={isDirty}
      isSaving={save.isPending}
      onSubmit={() => {
        if (!isDirty) onClose()
        else save.mutate({ thread, deal: chosen?.id ?? null }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <DealSelect chosen={chosen} onChoose={setTyped} isFirst />
    </FormDialog>
  )
}
