import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { isSameTag } from '#domain/tags.ts'
import { bulkAnswer, showUndoToast } from '#features/history/index.ts'
import type { ListSource, ListView } from '#lib/list-source.ts'
import { callForJson } from '#lib/supabase.ts'
import { useList } from '#lib/use-list.ts'
import { readFromTheStart, useListWrite } from '#lib/use-list-write.ts'

const counts = { contacts: z.number(), companies: z.number(), deals: z.number() }
const tagRow = z.object({ name: z.string(), ...counts })

/** A tag of the account. Its id is its name, as most records write it. */
export type Tag = z.output<typeof tagRow> & { id: string }

async function readTags(signal: AbortSignal): Promise<Tag[]> {
  const rows = await callForJson('tag_counts', {}, z.array(tagRow), signal)
  return rows.map((row) => ({ id: row.name, ...row }))
}

const failed = 'Failed to fetch tags'

/** The names of all tags of the account, the most used first. Read while they are suggested, and not before. */
export function useTagNames(isWanted = true): string[] {
  const { data = [] } = useQuery({
    queryKey: ['tags', 'names'],
    queryFn: ({ signal }) => readTags(signal),
    enabled: isWanted,
    meta: { failed },
  })
  return data.map(({ name }) => name)
}

type AllTags = ListView<Record<string, never>>

const allTags: AllTags = { filter: {}, sort: 'count', descending: true }

const tagList: ListSource<Tag, AllTags> = {
  key: ['tags'],
  failed,
  readPage: async (_view, _after, signal) => ({ rows: await readTags(signal), next: null }),
  compare: () => (one, other) => uses(other) - uses(one),
}

function uses({ contacts, companies, deals }: Tag): number {
  return contacts + companies + deals
}

/** All tags of the account with how many records have them. */
export function useTagList() {
  const { rows, isLoading, problem, refetch } = useList(tagList, allTags)
  return { rows, isLoading, problem, refetch }
}

/** Offers to take back what was done to a tag, on all records. */
function useUndoToast() {
  const queryClient = useQueryClient()
  return (message: string, batch: string | null) => {
    if (!batch) return
    showUndoToast({
      message,
      batch: async () => batch,
      onUndone: () => readFromTheStart(queryClient),
    })
  }
}

type Renaming = { tag: Tag; name: string; into: Tag | undefined }

/** Gives a tag another name on all records. The name of another tag makes one of the two. */
export function useRenameTag() {
  const offerUndo = useUndoToast()
  const queryClient = useQueryClient()
  const rename = useListWrite(tagList, {
    write: ({ tag, name }: Renaming) =>
      callForJson('rename_tag', { tag: tag.name, name }, bulkAnswer),
    optimistic: ({ tag, name, into }) =>
      into
        ? { kind: 'remove', matches: ({ id }) => id === tag.id, count: 1 }
        : { kind: 'change', matches: ({ id }) => id === tag.id, to: { name } },
    failed: 'Failed to rename tag',
  })
  return async (tag: Tag, name: string, all: Tag[]): Promise<void> => {
    const into = all.find((other) => other.id !== tag.id && isSameTag(other.name, name))
    const { batch } = await rename({ tag, name, into })
    // Long lists show it too, and are not read again by themselves.
    readFromTheStart(queryClient)
    offerUndo(into ? `${tag.name} is now ${into.name}` : `${tag.name} renamed to ${name}`, batch)
  }
}

/** Takes a tag from all records. */
export function useDeleteTag() {
  const offerUndo = useUndoToast()
  const queryClient = useQueryClient()
  const remove = useListWrite(tagList, {
    write: ({ name }: Tag) => callForJson('delete_tag', { tag: name }, bulkAnswer),
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    failed: 'Failed to delete tag',
  })
  return async (tag: Tag): Promise<void> => {
    const { batch } = await remove(tag)
    readFromTheStart(queryClient)
    offerUndo(`${tag.name} deleted`, batch)
  }
}
