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
  /** 0 to 3 the better the lower, 4 when it is only similar; null without words. */
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

/** What is found under the words; without any, what was last worked on. */
export function useHits(words: string) {
  return useQuery<Hit[]>({
    queryKey: ['search', words],
    queryFn: ({ signal }) => callFunction('search_everything', { words }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
}

/** For each part of a line the records it may mean, likeliest first. */
export type KnownRecords = Record<'company' | 'contact' | 'deal', Hit[]>

/** A line as the database takes it: a part with an id is decided, and null is a new record. */
type Line = {
  contact: (NonNullable<QuickAdd['contact']> & { id?: string | null }) | null
  company: (NonNullable<QuickAdd['company']> & { id?: string | null }) | null
  deal: (NonNullable<QuickAdd['deal']> & { id?: string | null }) | null
  task: QuickAdd['task']
}

/** Another record than the likeliest that a part of a line may mean. */
export type Other = { part: 'contact' | 'company'; hit: Hit }

/** In which order the database decides: who is found depends on the company, and the deal on both. */
const parts = ['company', 'contact', 'deal'] as const

function lineOf(
  { contact, company, deal, task }: QuickAdd,
  known?: KnownRecords,
  other?: Other,
): Line {
  function meant(part: keyof KnownRecords): { id?: string | null } {
    if (part === other?.part) return { id: other.hit.id }
    // What was found for the likeliest may be wrong for another: the database looks again.
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

/** Which parts of a line are there already. */
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
  /** What the user saw that it means. */
  known: KnownRecords | undefined
  /** What he chose instead. */
  other: Other | undefined
  /** Sent again with the same one after a lost answer, it creates nothing twice. */
  batch: string
  /** What was typed. */
  words: string
}

/**
 * Creates what a line says, in one batch, with the way back in the toast. Whoever shows its error says so
 * by `isWatched`; with nobody there, a toast tells of it.
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
