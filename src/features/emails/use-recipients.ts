import { useEffect, useMemo, useState } from 'react'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { addressees } from '#domain/mail-merge.ts'
import type { Json } from '#lib/database.types.ts'
import type { Page } from '#lib/list-source.ts'
import { type EmailContact, readRecipients } from './queries.ts'

type Reading = { contacts: EmailContact[]; isDone: boolean; error: unknown }

const begun: Reading = { contacts: [], isDone: false, error: null }

/**
 * Reads all recipients page by page. Not in the query cache, because a refetch would change their order while the user
 * writes.
 */
export function useRecipients(filter: ContactFilter) {
  const [reading, setReading] = useState(begun)
  // The filter at the start; a new object starts another try.
  const [wanted, setWanted] = useState({ filter })

  useEffect(() => {
    const stop = new AbortController()
    setReading(begun)
    readAll(wanted.filter, stop.signal, setReading).catch((error) => {
      if (!stop.signal.aborted) setReading((before) => ({ ...before, error }))
    })
    return () => stop.abort()
  }, [wanted])

  const people = useMemo(() => addressees(reading.contacts), [reading.contacts])
  return { ...reading, people, retry: () => setWanted({ ...wanted }) }
}

export type Recipients = ReturnType<typeof useRecipients>

async function readAll(
  filter: ContactFilter,
  signal: AbortSignal,
  onPage: (reading: Reading) => void,
): Promise<void> {
  let contacts: EmailContact[] = []
  let after: Json | null = null
  do {
    const page: Page<EmailContact> = await readRecipients(filter, after, signal)
    if (signal.aborted) return
    contacts = contacts.concat(page.rows)
    after = page.next
    onPage({ contacts, isDone: after === null, error: null })
  } while (after !== null)
}
