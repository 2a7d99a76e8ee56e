import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { z } from 'zod/mini'
import { loggedChange } from '#domain/log.ts'
import type { NextStep } from '#domain/next-step.ts'
import { type NoteValues, noteKinds } from '#domain/note.ts'
import type { Origin, TimelineKind } from '#domain/timeline.ts'
import { deletionOf, showUndoToast } from '#features/history/index.ts'
import { shownWithWrite } from '#features/tasks/index.ts'
import { checked, maybe } from '#lib/answers.ts'
import { notFound } from '#lib/errors.ts'
import { type ListSource, type ListView, listKeys, type Page } from '#lib/list-source.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { shortList } from '#lib/use-list.ts'
import {
  patchLists,
  readAgain,
  readFromTheStart,
  useListWrite,
  useOnceWrite,
} from '#lib/use-list-write.ts'
import { KeptWrite } from '#lib/waiting-writes.ts'

/** The record of a timeline. */
export type Subject = { record: 'contact' | 'company' | 'deal'; id: string }

const storedNote = z.object({
  id: z.string(),
  kind: z.enum([...noteKinds, 'email']),
  body: maybe,
  outcome: maybe,
  minutes: z.nullable(z.number()),
  happened_at: z.string(),
  contact_id: maybe,
  company_id: maybe,
  deal_id: maybe,
  created_at: z.string(),
  updated_at: z.string(),
})

export type Note = z.output<typeof storedNote>

/** See the database's `mail_on_timeline`. */
const timelineMail = z.object({
  id: z.string(),
  thread: z.string(),
  direction: z.enum(['in', 'out']),
  sender: maybe,
  sender_name: maybe,
  recipients: z.array(z.object({ name: z.string(), address: z.string() })),
  subject: maybe,
  snippet: maybe,
  attachments: z.number(),
  is_automatic: z.boolean(),
  is_doubtful: z.boolean(),
})

export type TimelineMail = z.output<typeof timelineMail>

/** Where an entry comes from; null for the record of the timeline itself. */
const origin = z.nullable(
  z.object({
    record: z.enum(['contact', 'company', 'deal']),
    id: z.string(),
    name: z.string(),
  }),
)

/** The access token that wrote an entry, by its name. */
const by = z.optional(maybe)
const place = { at: z.string(), key: z.string(), origin, by }
const entries = z.array(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('change'),
      ...place,
      ...loggedChange.shape,
      batch: z.optional(z.string()),
    }),
    z.object({ kind: z.literal('note'), ...place, note: storedNote }),
    z.object({ kind: z.literal('mail'), ...place, mail: timelineMail }),
  ]),
)

/**
 * A change, a note or a mail; `key` orders entries of the same moment. `isPending`: not stored yet, so it cannot be
 * edited or deleted.
 */
export type Entry = z.output<typeof entries>[number] & { id: string; isPending?: boolean }

type TimelineView = ListView<{ kind?: TimelineKind }>
export type TimelineSource = ListSource<Entry, TimelineView>

/** All of it or one kind of entries, newest first. */
export function timelineView(kind: TimelineKind | null): TimelineView {
  return { filter: kind ? { kind } : {}, sort: 'at', descending: true }
}

export const pageSize = 50

export function timelineOf({ record, id }: Subject): TimelineSource {
  return {
    key: ['timeline', record, id],
    failed: 'Failed to fetch timeline',
    async readPage({ filter }, after, signal) {
      // The cursor that this function returned for the page before.
      const cursor = after as { at: string; key: string } | null
      const from = cursor ? { before: cursor.at, before_key: cursor.key } : {}
      const args = { record, id, page_size: pageSize, ...filter, ...from }
      const read = await callForJson('record_timeline', args, entries, signal)
      const last = read.length === pageSize ? read.at(-1) : undefined
      return {
        rows: read.map((entry) => ({ ...entry, id: entry.key })),
        next: last ? { at: last.at, key: last.key } : null,
      }
    },
    finds: ({ kind }, entry) => kind === kindOf(entry),
    compare: () => newestFirst,
  }
}

export function newestFirst(one: Entry, other: Entry): number {
  const later = Date.parse(other.at) - Date.parse(one.at)
  return later === 0 ? (one.key < other.key ? 1 : -1) : later
}

function kindOf(entry: Entry): TimelineKind {
  if (entry.kind === 'mail') return 'email'
  return entry.kind === 'note' ? entry.note.kind : 'change'
}

/**
 * Loads new entries after each write, because a long timeline is not read again. Every write is in the log, wherever
 * on the page it was made.
 */
export function useNewEntries(source: TimelineSource, view: TimelineView): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const queryKey = [...listKeys.pages(source.key), view]
    async function readNewest(): Promise<void> {
      const pages = queryClient.getQueryData<{ pages: Page<Entry>[] }>(queryKey)?.pages ?? []
      if (pages.length <= shortList) return
      const known = new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)))
      const { rows } = await source.readPage(view, null, new AbortController().signal)
      for (const row of rows) {
        if (!known.has(row.id)) patchLists(queryClient, source, { kind: 'add', row })
      }
    }
    return queryClient.getMutationCache().subscribe((event) => {
      // After a failure the entries appear when the page is opened again.
      if (event.type === 'updated' && event.action.type === 'success') readNewest().catch(() => {})
    })
  }, [queryClient, source, view])
}

async function removeNote(id: string): Promise<void> {
  const { data, error } = await supabase().from('notes').delete().eq('id', id).select('id')
  if (error) throw error
  if (data.length === 0) throw notFound()
}

/** `next` is the task that comes next, written in the same transaction. */
type NewNote = { id: string; values: NoteValues; next?: (NextStep & { id: string }) | null }

/** Logs an entry; with a next step, the toast offers to undo both. */
export function useCreateNote(source: TimelineSource, { record, id: recordId }: Subject) {
  const link = { [`${record}_id`]: recordId }
  const queryClient = useQueryClient()
  const create = useOnceWrite(source, {
    once({ id, values, next }: NewNote) {
      const step = next ? { next_step: { ...next, ...link } } : {}
      return {
        action: 'add note',
        args: { values: { ...values, ...link, id }, ...step },
        title: titleOf(values),
      }
    },
    shown({ id, values }) {
      const now = new Date().toISOString()
      const none = { contact_id: null, company_id: null, deal_id: null }
      const note = { ...none, ...values, ...link, id, created_at: now, updated_at: now }
      return { kind: 'add', row: { ...entryOf(note), isPending: true } }
    },
    also: ({ next }) => (next ? [shownWithWrite(next.id, { ...next, ...link })] : []),
    answer: (row, { next_step, batch }) => ({
      note: checked(storedNote, row),
      // One entry by itself has no toast.
      batch: next_step ? batch : null,
    }),
    confirmed: ({ note }) => ({ kind: 'add', row: entryOf(note) }),
    failed: 'Failed to create note',
  })
  return async (input: NewNote): Promise<void> => {
    const logged = await create(input)
    if (logged instanceof KeptWrite || !logged.batch) return
    const { batch } = logged
    showUndoToast({
      message: loggedWords(input.values.kind),
      batch: async () => batch,
      onUndone: () => readFromTheStart(queryClient),
    })
  }
}

const kindNames = { note: 'Note', call: 'Call', meeting: 'Meeting' }

/** 'Call: Wants a quote'. */
function titleOf({ kind, body, outcome }: NoteValues): string {
  const [words = ''] = (body ?? outcome ?? '').split('\n')
  return `${kindNames[kind]}: ${words.slice(0, 80)}`
}

/** 'Call logged, next step added'. */
function loggedWords(kind: NoteValues['kind']): string {
  const names = { note: 'Note added', call: 'Call logged', meeting: 'Meeting logged' }
  return `${names[kind]}, next step added`
}

export function useUpdateNote(source: TimelineSource) {
  const queryClient = useQueryClient()
  const update = useOnceWrite(source, {
    once: ({ seen, values }: { seen: Note; values: NoteValues }) => ({
      action: 'edit note',
      args: { id: seen.id, values },
      seen: seenOf(seen),
      title: titleOf(values),
    }),
    // Stays in place, because its form is still open there.
    shown: ({ seen, values }) => ({
      kind: 'change',
      id: entryOf(seen).id,
      to: { note: { ...seen, ...values } },
    }),
    answer: (row) => checked(storedNote, row),
    // A new time moves it to another place.
    confirmed: (note) => ({ kind: 'add', row: entryOf(note, originIn(queryClient, source, note)) }),
    failed: 'Failed to update note',
  })
  return async (change: { seen: Note; values: NoteValues }): Promise<void> => {
    await update(change)
  }
}

function seenOf({ kind, body, outcome, minutes, happened_at }: Note) {
  return { kind, body, outcome, minutes, happened_at }
}

export function useDeleteNote(source: TimelineSource) {
  const queryClient = useQueryClient()
  const remove = useListWrite(source, {
    write: ({ id }: Note) => removeNote(id),
    optimistic: (note) => ({
      kind: 'remove',
      matches: ({ key }) => key === entryOf(note).key,
      count: 1,
    }),
    failed: 'Failed to delete note',
  })
  return async (note: Note) => {
    const from = originIn(queryClient, source, note)
    await remove(note)
    showUndoToast({
      message: 'Note deleted successfully',
      batch: () => deletionOf(note.id),
      onUndone() {
        patchLists(queryClient, source, { kind: 'add', row: entryOf(note, from) })
        readAgain(queryClient)
      },
    })
  }
}

/** A note as an entry, as the database would return it. */
function entryOf(note: Note, from: Origin | null = null): Entry & { kind: 'note' } {
  const key = `note ${note.id}`
  return { id: key, key, at: note.happened_at, origin: from, kind: 'note', note }
}

/** Where a note on the screen comes from: a write answers with the note alone. */
function originIn(queryClient: QueryClient, source: TimelineSource, note: Note): Origin | null {
  const { key } = entryOf(note)
  const lists = queryClient.getQueriesData<{ pages: Page<Entry>[] }>({
    queryKey: listKeys.pages(source.key),
  })
  const entries = lists.flatMap(([, data]) => data?.pages.flatMap(({ rows }) => rows) ?? [])
  return entries.find((entry) => entry.key === key)?.origin ?? null
}
