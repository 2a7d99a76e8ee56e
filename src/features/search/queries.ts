import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QuickAdd } from '#domain/quick-add.ts'
import { showUndoToast } from '#features/history/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { callFunction } from '#lib/supabase.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { showError } from '#ui/toast.tsx'
import { createdInWords } from './created-words.ts'

/** See the database's `search_everything` and `search_card`. */
export type Hit = {
  kind: 'contacts' | 'companies' | 'deals' | 'tasks'
  id: string
  title: string
  about: string | null
  /** 0 is the best match, 4 is only similar; null without a search. */
  rank: number | null
  /** Of a contact. */
  email?: string | null
  phone_number?: string | null
  /** Of a deal. */
  value?: number
  stage?: string | null
  /** Of a task. */
  due_date?: string | null
  completed?: boolean
}

/** Searches everything; without words, the records that were used last. */
export function useHits(words: string) {
  return useQuery<Hit[]>({
    queryKey: ['search', words],
    queryFn: ({ signal }) => callFunction('search_everything', { words }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
}

/** The matching records for each part of a line, best first. */
export type KnownRecords = Record<'company' | 'contact' | 'deal', Hit[]>

/** A line for the database: a part with an id is an existing record, null is a new one. */
type Line = {
  contact: (NonNullable<QuickAdd['contact']> & { id?: string | null }) | null
  company: (NonNullable<QuickAdd['company']> & { id?: string | null }) | null
  deal: (NonNullable<QuickAdd['deal']> & { id?: string | null }) | null
  task: QuickAdd['task']
}

/** Another match for a part of a line. */
export type Other = { part: 'contact' | 'company'; hit: Hit }

/** The order in which the database matches: the contact depends on the company, the deal on both. */
const parts = ['company', 'contact', 'deal'] as const

function lineOf(
  { contact, company, deal, task }: QuickAdd,
  known?: KnownRecords,
  other?: Other,
): Line {
  function meant(part: keyof KnownRecords): { id?: string | null } {
    if (part === other?.part) return { id: other.hit.id }
    // With another match, the parts after it must be matched again.
    const isOpen = other && parts.indexOf(part) > parts.indexOf(other.part)
    return known && !isOpen ? { id: known[part][0]?.id ?? null } : {}
  }
  return {
    contact: contact && { ...contact, ...meant('contact') },
    company: company && { ...company, ...meant('company') },
    deal: deal && { ...deal, ...meant('deal') },
    task,
  }
}

/** Finds existing records for the parts of a line. */
export function useKnownRecords(read: QuickAdd | undefined) {
  return useQuery<KnownRecords>({
    queryKey: ['quick-add', read],
    queryFn: ({ signal }) =>
      callFunction('quick_add_preview', { line: read ? lineOf(read) : {} }, signal),
    enabled: read !== undefined,
    staleTime: 5000,
  })
}

type Created = {
  batch: string
  records: { kind: Hit['kind']; id: string; title: string; is_new: boolean }[]
}

type Order = {
  read: QuickAdd
  /** The matches that the user saw. */
  known: KnownRecords | undefined
  /** The match that the user chose instead. */
  other: Other | undefined
  /** The same id for all tries, so that a lost answer creates nothing twice. */
  batch: string
  /** The typed text. */
  words: string
}

/**
 * Creates the records of a line in one batch; the toast offers Undo. An error is shown as a toast, unless `isWatched`
 * says that the search panel shows it.
 */
export function useCreateLine(isWatched: (batch: string) => boolean) {
  const queryClient = useQueryClient()
  return useMutation<Created, Error, Order>({
    mutationFn: ({ read, known, other, batch }) =>
      callFunction('quick_add', { line: lineOf(read, known, other), batch }),
    onError(error, { batch, words }) {
      if (!isWatched(batch)) showError(`“${words}” was not created: ${errorMessage(error)}`)
    },
    onSuccess({ batch, records }) {
      readFromTheStart(queryClient)
      showUndoToast({
        message: createdInWords(records),
        batch: async () => batch,
        onUndone: () => readFromTheStart(queryClient),
      })
    },
  })
}
