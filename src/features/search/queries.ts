import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { Reading } from '#domain/quick-add.ts'
import { type QuickAddLine, quickAddLine } from '#domain/quick-add-line.ts'
import type { QuickAdd } from '#domain/quick-add-records.ts'
import { showUndoToast } from '#features/history/index.ts'
import { shownWithWrite } from '#features/tasks/index.ts'
import { checked, maybe } from '#lib/answers.ts'
import { errorMessage } from '#lib/errors.ts'
import { newId } from '#lib/new-id.ts'
import { callForJson } from '#lib/supabase.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { KeptWrite, sendOnce } from '#lib/waiting-writes.ts'
import { showError } from '#ui/toast.tsx'
import { createdInWords } from './created-words.ts'

/** See the database's `search_everything` and `search_card`. */
const hit = z.object({
  kind: z.enum(['contacts', 'companies', 'deals', 'tasks', 'files', 'mails']),
  id: z.string(),
  title: z.string(),
  about: maybe,
  /** 0 is the best match, 4 is only similar; none without a search, or in quick add. */
  rank: z.optional(z.nullable(z.number())),
  /** Of a contact. */
  email: z.optional(maybe),
  phone_number: z.optional(maybe),
  /** Of a deal. */
  value: z.optional(z.number()),
  currency: z.optional(z.nullable(z.string())),
  stage: z.optional(maybe),
  /** Of a task. */
  due_date: z.optional(maybe),
  completed: z.optional(z.boolean()),
  /** Of a file or a mail: the record on whose page it is opened. */
  of: z.optional(z.object({ record: z.enum(['contact', 'company', 'deal']), id: z.string() })),
  /** Of a mail: its conversation. */
  thread: z.optional(maybe),
  sent_at: z.optional(maybe),
})

export type Hit = z.output<typeof hit>

const hits = z.array(hit)

/**
 * Searches everything; without words, the records that were used last. While an answer is on its way the one before is
 * there, with the words that it is for.
 */
export function useHits(words: string) {
  return useQuery({
    queryKey: ['search', words],
    queryFn: async ({ signal }) => ({
      words,
      hits: await callForJson('search_everything', { words }, hits, signal),
    }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
}

/** The matching records for each part of a line, best first. */
const knownRecords = z.object({
  company: hits,
  contact: hits,
  deal: hits,
  /** Which of the readings holds. */
  reading: z.number(),
})

export type KnownRecords = z.output<typeof knownRecords>

/** Another match for a part of a line. */
export type Other = { part: 'contact' | 'company'; hit: Hit }

/** The order in which the database matches: the contact depends on the company, the deal on both. */
const parts = ['company', 'contact', 'deal'] as const

function lineOf(read: QuickAdd, known?: KnownRecords, other?: Other): QuickAddLine {
  return quickAddLine(read, (part) => {
    if (part === other?.part) return { id: other.hit.id }
    // With another match, the parts after it must be matched again.
    const isOpen = other && parts.indexOf(part) > parts.indexOf(other.part)
    return known && !isOpen ? { id: known[part][0]?.id ?? null } : {}
  })
}

/** Finds which reading of a line holds, and the existing records for its parts. */
export function useKnownRecords(readings: Reading[]) {
  return useQuery({
    queryKey: ['quick-add', readings],
    queryFn({ signal }) {
      const line = readings.map(({ read, needs }) => ({ line: lineOf(read), needs }))
      return callForJson('quick_add_preview', { line }, knownRecords, signal)
    },
    enabled: readings.length > 0,
    staleTime: 5000,
  })
}

const createdRecord = z.object({
  kind: z.enum(['contacts', 'companies', 'deals', 'tasks', 'notes']),
  id: z.string(),
  is_new: z.boolean(),
})

export type CreatedRecord = z.output<typeof createdRecord>

const created = z.object({ batch: z.string(), records: z.array(createdRecord) })

type Order = {
  read: QuickAdd
  /** All ways to understand the line, where nobody has decided yet: the database does when it is sent. */
  readings: Reading[] | undefined
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
  return useMutation({
    async mutationFn({ read, readings, known, other, batch, words }: Order) {
      const task = newId()
      const withId = (line: QuickAddLine) =>
        line.task ? { ...line, task: { ...line.task, new_id: task } } : line
      const line = readings
        ? readings.map((each) => ({ line: withId(lineOf(each.read)), needs: each.needs ?? null }))
        : withId(lineOf(read, known, other))
      const shown = read.task ? [shownWithWrite(task, read.task)] : []
      const sent = await sendOnce(
        { action: 'quick add', args: { line }, title: words, shown },
        batch,
      )
      return sent instanceof KeptWrite ? sent : checked(created, sent)
    },
    onError(error, { batch, words }) {
      if (!isWatched(batch)) showError(`“${words}” was not created: ${errorMessage(error)}`)
    },
    onSuccess(answer) {
      if (answer instanceof KeptWrite) return
      const { batch, records } = answer
      readFromTheStart(queryClient)
      showUndoToast({
        message: createdInWords(records),
        batch: async () => batch,
        onUndone: () => readFromTheStart(queryClient),
      })
    },
  })
}
