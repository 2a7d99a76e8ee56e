import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { counted } from '#domain/counted.ts'
import type { Addressee } from '#domain/mail-merge.ts'
import { showUndoToast } from '#features/history/index.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { showToast } from '#ui/toast.tsx'
import { type EmailContact, useLogEmails } from './queries.ts'

type To = Addressee<EmailContact>

/** 'failed': opened, but not logged on the timeline. */
export type Mark = 'opened' | 'failed' | undefined

/** The addresses that were opened in the mail program; each is logged on its contacts' timelines once. */
export function useOpened(onSent: (() => void) | undefined) {
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map())
  const log = useLogEmails()
  const queryClient = useQueryClient()

  function mark(all: To[], as: Mark): void {
    setMarks((before) => new Map([...before, ...all.map(({ address }) => [address, as] as const)]))
  }

  async function open(all: To[], subject: string): Promise<void> {
    const fresh = all.filter(({ address }) => marks.get(address) !== 'opened')
    if (fresh.length === 0) return
    mark(fresh, 'opened')
    try {
      const { count, batch } = await log({ ids: fresh.flatMap(({ ids }) => ids), subject })
      onSent?.()
      if (batch) offerUndo(fresh, count, batch)
      else showToast({ message: 'Nothing was logged: these contacts no longer exist.' })
    } catch {
      // The error has been reported.
      mark(fresh, 'failed')
    }
  }

  function offerUndo(noted: To[], count: number, batch: string): void {
    const [first] = noted
    const whose = count === 1 && first ? contactName(first.contact) : counted(count, 'contact')
    showUndoToast({
      message: `Email draft logged for ${whose}`,
      batch: async () => batch,
      onUndone() {
        mark(noted, undefined)
        readAgain(queryClient)
        onSent?.()
      },
    })
  }

  function markOf(all: To[]): Mark {
    const found = all.map(({ address }) => marks.get(address))
    if (found.includes('failed')) return 'failed'
    return found.every((each) => each === 'opened') ? 'opened' : undefined
  }

  return { open, markOf }
}

export type Opened = ReturnType<typeof useOpened>
