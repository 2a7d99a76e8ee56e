import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod/mini'
import type { Origin } from '#domain/timeline.ts'
import { deletionOf, showUndoToast } from '#features/history/index.ts'
import { maybe, pageOf } from '#lib/answers.ts'
import type { Json } from '#lib/database.types.ts'
import { notFound } from '#lib/errors.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { readAgain } from '#lib/use-list-write.ts'

/** The record whose files are shown. */
export type Subject = Pick<Origin, 'record' | 'id'>

export const storedFile = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  sha256: z.string(),
  note_id: maybe,
  created_at: z.string(),
  /** Where it comes from; null for the record itself. */
  origin: z.optional(
    z.nullable(
      z.object({
        record: z.enum(['contact', 'company', 'deal']),
        id: z.string(),
        name: z.string(),
      }),
    ),
  ),
})

export type StoredFile = z.output<typeof storedFile>

const filesPage = z.extend(pageOf(storedFile), { count: z.number() })

/** What the files of a record are kept under. */
const keyOf = ({ record, id }: Subject) => ['files', record, id] as const

/** The files of the story of a record, newest first. */
export function useFiles(subject: Subject) {
  return useInfiniteQuery({
    queryKey: keyOf(subject),
    queryFn: ({ pageParam, signal }) =>
      callForJson(
        'record_files',
        { ...subject, ...(pageParam === null ? {} : { after: pageParam }) },
        filesPage,
        signal,
      ),
    initialPageParam: null as Json,
    getNextPageParam: ({ next }) => next,
    meta: { failed: 'Failed to fetch files' },
  })
}

/** The files that stand on notes: what the note shows needs no line of its own on the timeline. */
export function useFilesOfNotes(subject: Subject): ReadonlySet<string> {
  const { data } = useFiles(subject)
  return useMemo(() => {
    const rows = data?.pages.flatMap((page) => page.rows) ?? []
    return new Set(rows.flatMap(({ id, note_id }) => (note_id ? [id] : [])))
  }, [data])
}

/** A file that was opened by its address, wherever it stands in the list. */
export function useOneFile(id: string | null) {
  return useQuery({
    queryKey: ['files', 'one', id],
    enabled: id !== null,
    async queryFn({ signal }) {
      const columns = 'id, name, type, size, sha256, note_id, created_at'
      const { data, error } = await supabase()
        .from('files')
        .select(columns)
        .eq('id', id ?? '')
        .abortSignal(signal)
        .maybeSingle()
      if (error) throw error
      return data
    },
    meta: { failed: 'Failed to fetch the file' },
  })
}

const space = z.object({ used: z.number(), account_bytes: z.number(), file_bytes: z.number() })

const spaceOptions = {
  queryKey: ['files', 'space'],
  queryFn: () => callForJson('file_space', {}, space),
  meta: { failed: 'Failed to fetch the used space' },
}

/** What the files of the account take, and may take. */
export function useFileSpace() {
  return useQuery(spaceOptions)
}

/** How large one file may be. */
export async function readFileLimit(queryClient: QueryClient): Promise<number> {
  const { file_bytes } = await queryClient.fetchQuery({ ...spaceOptions, staleTime: 60_000 })
  return file_bytes
}

/** Where a new file belongs. */
export type FilePlace = Subject | { record: 'note'; id: string }

export function useRenameFile() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ id, name }: { id: string; name: string }) {
      const { data, error } = await supabase()
        .from('files')
        .update({ name })
        .eq('id', id)
        .select('name')
      if (error) throw error
      if (data.length === 0) throw notFound()
    },
    onSuccess: () => readAgain(queryClient),
  })
}

export function useDeleteFile() {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    async mutationFn({ id }: StoredFile) {
      const { data, error } = await supabase().from('files').delete().eq('id', id).select('id')
      if (error) throw error
      if (data.length === 0) throw notFound()
    },
    onSettled: () => readAgain(queryClient),
    meta: { failed: 'Failed to delete file' },
  })
  return async (file: StoredFile): Promise<void> => {
    await mutateAsync(file)
    showUndoToast({
      message: `${file.name} deleted`,
      batch: () => deletionOf(file.id),
      onUndone: () => readAgain(queryClient),
    })
  }
}
