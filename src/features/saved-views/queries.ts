import type { ViewScreen } from '#domain/saved-view.ts'
import { useUndoableDelete } from '#features/history/index.ts'
import { namedList, useNamedList } from '#lib/named-list.ts'
import { supabase } from '#lib/supabase.ts'
import { useListWrite } from '#lib/use-list-write.ts'

export type SavedView = { id: string; name: string; query: string }

/** A list for each screen, so that a write shows only there. */
function viewList(screen: ViewScreen) {
  return namedList<SavedView>({
    key: ['saved-views', screen],
    failed: 'Failed to fetch views',
    async read(signal) {
      const { data, error } = await supabase()
        .from('saved_views')
        .select('id, name, query')
        .eq('screen', screen)
        .abortSignal(signal)
        // The query client retries once; the library's own retries would take long.
        .retry(false)
      if (error) throw error
      return data
    },
  })
}

const lists = {
  contacts: viewList('contacts'),
  companies: viewList('companies'),
  deals: viewList('deals'),
  tasks: viewList('tasks'),
}

export function useSavedViews(screen: ViewScreen) {
  return useNamedList(lists[screen])
}

async function createView(screen: ViewScreen, { id, ...view }: SavedView): Promise<void> {
  const { error } = await supabase()
    .from('saved_views')
    .insert({ id, ...view, screen })
  if (!error) return
  // An earlier try was saved but its answer got lost, or another view has the name.
  if (error.code !== '23505' || !(await changeView(id, view))) throw error
}

/** False when there is no such view. */
async function changeView(
  id: string,
  changes: Partial<Pick<SavedView, 'name' | 'query'>>,
): Promise<boolean> {
  const { data, error } = await supabase()
    .from('saved_views')
    .update(changes)
    .eq('id', id)
    .select('id')
  if (error) throw error
  return data.length > 0
}

async function deleteView(id: string): Promise<void> {
  const { data, error } = await supabase().from('saved_views').delete().eq('id', id).select('id')
  if (error) throw error
  if (data.length === 0) throw gone()
}

function gone(): Error {
  return new Error('This view no longer exists.')
}

/** `id` is the same for all tries, so that a lost answer never creates two views. */
export function useCreateView(screen: ViewScreen) {
  return useListWrite(lists[screen], {
    write: (view: SavedView) => createView(screen, view),
    optimistic: (row) => ({ kind: 'add', row }),
    saved: 'View saved',
    failed: 'Failed to save view',
  })
}

type ViewChange = { id: string; name?: string; query?: string }

export function useChangeView(screen: ViewScreen, words: { saved: string; failed: string }) {
  return useListWrite(lists[screen], {
    async write({ id, ...changes }: ViewChange) {
      if (!(await changeView(id, changes))) throw gone()
    },
    optimistic: ({ id, ...to }) => ({ kind: 'change', matches: (row) => row.id === id, to }),
    ...words,
  })
}

export function useDeleteView(screen: ViewScreen) {
  return useUndoableDelete(lists[screen], {
    remove: deleteView,
    done: ({ name }) => `View ${name} deleted`,
    failed: 'Failed to delete view',
  })
}
