import { useEffect, useMemo, useRef, useState } from 'react'
import type { QuickAdd } from '#domain/quick-add-records.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { newId } from '#lib/new-id.ts'
import { type Other, useCreateLine, useKnownRecords } from './queries.ts'

/** The last creation, with a batch id for each match that the user may choose. */
type Attempt = {
  read: QuickAdd | null
  other: Other | undefined
  batches: Map<string | undefined, string>
}

type Reader = typeof import('#domain/quick-add.ts')

/** What the typed words could create, and the function that creates it. */
export function useQuickAdd(words: string, onCreated: () => void) {
  const reader = useReader()
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const { readings, offers } = useMemo(() => {
    if (!reader || words === '') return { readings: [], offers: [] }
    const clock = { now: Date.now(), timeZone, weekStart }
    const ways = reader.readingsOf(words, clock)
    return {
      // If no reading creates several records, the line is a search, and the database is not asked.
      readings: ways.some(({ read }) => reader.isPlan(read)) ? ways : [],
      offers: reader.offersFor(words, clock),
    }
  }, [reader, words, timeZone, weekStart])
  const known = useKnownRecords(readings)
  // Until the database has answered, the last reading, which needs no existing record.
  const chosen = readings[known.data?.reading ?? readings.length - 1]?.read
  const plan = chosen && reader?.isPlan(chosen) ? chosen : undefined
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
    const isPlan = read === plan
    const order = {
      read,
      readings: isPlan && !known.data ? readings : undefined,
      known: isPlan ? known.data : undefined,
    }
    watched.current = batch
    mutate({ ...order, other, batch, words }, { onSuccess: onCreated })
  }
  return {
    /** Set if the line describes several records. */
    plan,
    known: known.data,
    /** Which records it means can only be told by the server, which cannot be reached. */
    isUndecided: plan !== undefined && known.data === undefined && known.isError,
    /** Single records with the typed text as their name. */
    plain: plan ? [] : offers,
    isLoading: known.isLoading,
    isSaving: isPending,
    error,
    create,
    /** Called when the text changes. */
    forget() {
      watched.current = null
      reset()
    },
    retry: () => attempt.current.read && create(attempt.current.read, attempt.current.other),
  }
}

/** Loads the parser separately, because it is large; the search works without it. */
function useReader(): Reader | null {
  const [reader, setReader] = useState<Reader | null>(null)
  useEffect(() => {
    import('#domain/quick-add.ts').then(setReader, () => {})
  }, [])
  return reader
}
