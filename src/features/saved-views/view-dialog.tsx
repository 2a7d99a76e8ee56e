import { useState } from 'react'
import type { ViewScreen } from '#domain/saved-view.ts'
import { NameDialog } from '#features/naming/index.ts'
import { newId } from '#lib/new-id.ts'
import { type SavedView, useChangeView, useCreateView, useSavedViews } from './queries.ts'

type ViewDialogProps = {
  screen: ViewScreen
  /** The current address query. */
  query: string
  /** The view to rename; undefined for a new one. */
  view?: SavedView | undefined
  onSaved: (id: string) => void
  onClose: () => void
}

/** Asks for the name of a view, new or renamed. */
export function ViewDialog({ screen, query, view, onSaved, onClose }: ViewDialogProps) {
  const views = useSavedViews(screen)
  const create = useCreateView(screen)
  const rename = useChangeView(screen, { saved: 'View renamed', failed: 'Failed to rename view' })
  // One id for all tries, so that a lost answer never creates two views.
  const [id] = useState(() => view?.id ?? newId())
  return (
    <NameDialog
      title={view ? 'Rename view' : 'Save view'}
      {...(view ? {} : { hint: 'Saves the current search, filters, sorting and columns.' })}
      submitLabel={view ? 'Rename' : 'Save'}
      kind="view"
      name={view?.name ?? ''}
      taken={views.rows.filter((other) => other.id !== id).map(({ name }) => name)}
      onSave={async (name) => {
        await (view ? rename({ id, name }) : create({ id, name, query }))
        onSaved(id)
      }}
      onClose={onClose}
    />
  )
}
