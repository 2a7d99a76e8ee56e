import { useEffect, useMemo, useRef, useState } from 'react'
import type { QuickAdd } from '#domain/quick-add.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { newId } from '#lib/new-id.ts'
import { useCreateLine, useKnownRecords } from './queries.ts'

type Reader = typeof import('#domain/quick-add.ts')

/** What the words could create, and the way to create it. */
export function useQuickAdd(words: string, onCreated: () => void) {
  const reader = useReader()
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const offers = useMemo(() => {
    if (!reader || words === '') return []
    return reader.offersFor(words, { now: Date.now(), timeZone, weekStart })
  }, [reader, words, timeZone, weekStart])
  const plan = offers.find((offer) => reader?.isPlan(offer))
  const known = useKnownRecords(plan)
  const { mutate, isPending, error, reset } = useCreateLine()
  const attempt = useRef<{ read: QuickAdd | null; batch: string }>({ read: null, batch: '' })

  function create(read: QuickAdd): void {
    if (isPending) return
    if (attempt.current.read !== read) attempt.current = { read, batch: newId() }
    const { batch } = attempt.current
    mutate({ read, known: read === plan ? known.data : undefined, batch }, { onSuccess: onCreated })
  }
  return {
    /** Several records in one line. */
    plan,
    known: known.data,
    /** One record, called what was typed. */
    plain: plan ? [] : offers,
    isLoading: known.isLoading,
    isSaving: isPending,
    error,
    create,
    /** Another line is another attempt. */
    forget: reset,
    retry: () => attempt.current.read && create(attempt.current.read),
  }
}

/** Reads lines; too large to come with the dialog, and without it there is still the search. */
function useReader(): Reader | null {
  const [reader, setReader] = useState<Reader | null>(null)
  useEffect(() => {
    import('#domain/quick-add.ts').then(setReader, () => {})
  }, [])
  return reader
}
