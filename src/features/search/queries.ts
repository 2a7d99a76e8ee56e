import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { QuickAdd } from '#domain/quick-add.ts'
import { showUndoToast } from '#features/history/index.ts'
import { maybe } from '#lib/answers.ts'
import { errorMessage } from '#lib/errors.ts'
import { callForJson } from '#lib/supabase.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { showError } from '#ui/toast.tsx'
import { createdInWords } from './created-words.ts'

/** See the database's `search_everything` and `search_card`. */
const hit = z.object({
  kind: z.enum(['contacts', 'companies', 'deals', 'tasks']),
  id: z.string(),
  title: z.string(),
  about: maybe,
  /** 0 to 3 the better the lower, 4 when it is only similar; without words, or where they are a name, there is none. */
  rank: z.optional(z.nullable(z.number())),
  /** Of a contact. */
  email: z.optional(maybe),
  phone_number: z.optional(maybe),
  /** Of a deal. */
  value: z.optional(z.number()),
  stage: z.optional(maybe),
  /** Of a task. */
  due_date: z.optional(maybe),
  completed: z.optional(z.boolean()),
})

export type Hit = z.output<typeof hit>

const hits = z.array(hit)

/** What is found under the words; without any, what was last worked on. */
export function useHits(words: string) {
  return useQuery({
    queryKey: ['search', words],
    queryFn: ({ signal }) => callForJson('search_everything', { words }, hits, signal),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
}

/** For each part of a line the records it may mean, likeliest first. */
const knownRecords = z.object({ company: hits, contact: hits, deal: hits })

export type KnownRecords = z.output<typeof knownRecords>

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
  return useQuery({
    queryKey: ['quick-add', read],
    queryFn({ signal }) {
      const line = read ? lineOf(read) : {}
      return callForJson('quick_add_preview', { line }, knownRecords, signal)
    },
    enabled: read !== undefined,
    staleTime: 5000,
  })
}

const created = z.object({
  batch: z.string(),
  records: z.array(z.extend(z.pick(hit, { kind: true, id: true }), { is_new: z.boolean() })),
})

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
  return useMutation({
    mutationFn: ({ read, known, other, batch }: Order) =>
      callForJson('quick_add', { line: lineOf(read, known, other), batch }, created),
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
