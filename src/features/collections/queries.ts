import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { ContactFilter } from '#domain/contact-filter.ts'
import {
  type BulkAnswer,
  bulkAnswer,
  deletionOf,
  showUndoToast,
  writeMany,
} from '#features/history/index.ts'
import { checked } from '#lib/answers.ts'
import { isLinkMissing } from '#lib/errors.ts'
import type { ListWrite } from '#lib/list-writes.ts'
import { namedList, useNamedList } from '#lib/named-list.ts'
import { newId } from '#lib/new-id.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { readAgain, useListWrite } from '#lib/use-list-write.ts'
import { showToast } from '#ui/toast.tsx'
import { addedWords, createdWords, removedWords } from './words.ts'

const collection = z.object({ id: z.string(), name: z.string(), contacts: z.number() })

export type Collection = z.output<typeof collection>

const collectionList = namedList<Collection>({
  key: ['collections'],
  failed: 'Failed to fetch collections',
  async read(signal) {
    const { data, error } = await supabase()
      .from('collection_counts')
      .select('id, name, contacts')
      .abortSignal(signal)
      // The query client retries once; the library's own retries would take long.
      .retry(false)
    if (error) throw error
    // The generated types of a view's columns are nullable; these never are null.
    return checked(z.array(collection), data)
  },
})

/** The collections and how many contacts are in each, by name. */
export function useCollections() {
  return useNamedList(collectionList)
}

async function addToCollection(id: string, filter: ContactFilter): Promise<BulkAnswer> {
  try {
    return await writeMany('add_to_collection', { filter, collection_id: id })
  } catch (error) {
    throw isLinkMissing(error) ? gone() : error
  }
}

async function renameCollection(id: string, name: string): Promise<void> {
  const { data, error } = await supabase()
    .from('collections')
    .update({ name })
    .eq('id', id)
    .select('id')
  if (error) throw error
  if (data.length === 0) throw gone()
}

async function deleteCollection(id: string): Promise<void> {
  const { data, error } = await supabase().from('collections').delete().eq('id', id).select('id')
  if (error) throw error
  if (data.length === 0) throw gone()
}

function gone(): Error {
  return new Error('This collection no longer exists.')
}

/** `onChanged` is called when members changed, by the write or its undo. */
function useUndo(onChanged: (() => void) | undefined) {
  const queryClient = useQueryClient()
  return (message: string, batch: () => Promise<string>) => {
    onChanged?.()
    showUndoToast({
      message,
      batch,
      onUndone() {
        readAgain(queryClient)
        onChanged?.()
      },
    })
  }
}

type NewCollection = { name: string; filter: ContactFilter; count: number }

export function useCreateCollection(onChanged?: () => void) {
  const offerUndo = useUndo(onChanged)
  const create = useListWrite(collectionList, {
    write: ({ name, filter }: NewCollection) =>
      callForJson('create_collection', { name, filter }, z.extend(bulkAnswer, { id: z.string() })),
    optimistic: ({ name, count }) => ({ kind: 'add', row: { id: newId(), name, contacts: count } }),
    confirmed: ({ id, count }, { name }) => ({ kind: 'add', row: { id, name, contacts: count } }),
    failed: 'Failed to create collection',
  })
  return async (input: NewCollection) => {
    const { count, batch } = await create(input)
    if (batch) offerUndo(createdWords(input.name, count), async () => batch)
  }
}

type Members = { collection: Collection; filter: ContactFilter; count: number }

export function useAddToCollection(onChanged?: () => void) {
  const offerUndo = useUndo(onChanged)
  const add = useListWrite(collectionList, {
    write: ({ collection, filter }: Members) => addToCollection(collection.id, filter),
    // Some contacts may be members already; the answer has the real number.
    optimistic: ({ collection, count }) => membersChange(collection, count),
    confirmed: ({ count }, { collection }) => membersChange(collection, count),
    failed: 'Failed to add to collection',
  })
  return async (input: Members) => {
    const { count, batch } = await add(input)
    const message = addedWords(input.collection.name, count, input.count)
    if (batch) offerUndo(message, async () => batch)
    else showToast({ message })
  }
}

export function useRemoveFromCollection(onChanged?: () => void) {
  const offerUndo = useUndo(onChanged)
  const remove = useListWrite(collectionList, {
    write: ({ collection, filter }: Members) =>
      writeMany('remove_from_collection', { filter, collection_id: collection.id }),
    optimistic: ({ collection, count }) => membersChange(collection, -count),
    confirmed: ({ count }, { collection }) => membersChange(collection, -count),
    failed: 'Failed to remove from collection',
  })
  return async (input: Members) => {
    const { count, batch } = await remove(input)
    const message = removedWords(input.collection.name, count)
    if (batch) offerUndo(message, async () => batch)
    else showToast({ message })
  }
}

function membersChange({ id, contacts }: Collection, more: number): ListWrite<Collection> {
  return {
    kind: 'change',
    matches: (row) => row.id === id,
    to: { contacts: Math.max(0, contacts + more) },
  }
}

export function useRenameCollection() {
  return useListWrite(collectionList, {
    write: ({ id, name }: { id: string; name: string }) => renameCollection(id, name),
    optimistic: ({ id, name }) => ({
      kind: 'change',
      matches: (row) => row.id === id,
      to: { name },
    }),
    saved: 'Collection renamed',
    failed: 'Failed to rename collection',
  })
}

export function useDeleteCollection(onChanged?: () => void) {
  const offerUndo = useUndo(onChanged)
  const remove = useListWrite(collectionList, {
    write: ({ id }: Collection) => deleteCollection(id),
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    failed: 'Failed to delete collection',
  })
  return async (collection: Collection) => {
    await remove(collection)
    offerUndo(`${collection.name} deleted`, () => deletionOf(collection.id))
  }
}
