import { useEffect, useMemo, useRef, useState } from 'react'
import type { QuickAdd } from '#domain/quick-add.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { newId } from '#lib/new-id.ts'
import { type Other, useCreateLine, useKnownRecords } from './queries.ts'

/** What was last to be created, and the batch of each choice that this line leaves. */
type Attempt = {
  read: QuickAdd | null
  other: Other | undefined
  batches: Map<string | undefined, string>
}

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
  const watched = useRef<string | null>(null)
  const { mutate, isPending, error, reset } = useCreateLine((batch) => batch === watched.current)
  useEffect(
    () => () => {
      watched.current = null
    },
    [],
  )
  const attempt = useRef<Attempt>({ read: null, other: undefined, batches: new Map() })

  function create(read: QuickAdd, other?: Other): void {
    if (isPending) return
    const batches = attempt.current.read === read ? attempt.current.batches : new Map()
    attempt.current = { read, other, batches }
    const batch = batches.get(other?.hit.id) ?? newId()
    batches.set(other?.hit.id, batch)
    const seen = read === plan ? known.data : undefined
    watched.current = batch
    mutate({ read, known: seen, other, batch, words }, { onSuccess: onCreated })
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
    forget() {
      watched.current = null
      reset()
    },
    retry: () => attempt.current.read && create(attempt.current.read, attempt.current.other),
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
