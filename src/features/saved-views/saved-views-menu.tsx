import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { normalisedQuery, type ViewScreen } from '#domain/saved-view.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { Unfolding } from '#ui/unfolding.tsx'
import { useSavedViews } from './queries.ts'
import classes from './saved-views.module.css'
import { useOpenView } from './use-open-view.ts'
import { ViewDialog } from './view-dialog.tsx'

const ViewChoices = openedPart(async () => (await import('./view-choices.tsx')).ViewChoices)

type SavedViewsMenuProps = {
  screen: ViewScreen
  /** The current address query. */
  query: string
  onOpen: (query: string) => void
}

/** The menu 'Views': opens, saves, renames and deletes saved views. */
export function SavedViewsMenu({ screen, query, onOpen }: SavedViewsMenuProps) {
  const views = useSavedViews(screen)
  const current = normalisedQuery(query)
  const { open, isChanged, setLastId } = useOpenView(views.rows, current)
  const [form, setForm] = useState<'save' | 'rename' | null>(null)
  const label = open ? `Views: ${open.name}${isChanged ? ', changed' : ''}` : 'Views'
  return (
    <>
      <Unfolding
        popup="menu"
        parts={[ViewChoices]}
        button={(button) => (
          <Button
            variant="default"
            className={classes.button ?? ''}
            leftSection={<IconBookmark size={16} stroke={1.5} aria-hidden />}
            aria-label={label}
            {...button}
          >
            {open ? <bdi title={open.name}>{open.name}</bdi> : 'Views'}
            {isChanged && <span className={classes.changed} aria-hidden />}
          </Button>
        )}
      >
        {(onClose) => (
          <ViewChoices
            label={label}
            screen={screen}
            views={views}
            current={current}
            open={open}
            isChanged={isChanged}
            onOpen={({ id, query: wanted }) => {
              if (id) setLastId(id)
              onOpen(wanted)
            }}
            onForm={setForm}
            onClose={onClose}
          />
        )}
      </Unfolding>
      {form && (
        <ViewDialog
          screen={screen}
          query={current}
          view={form === 'rename' ? open : undefined}
          onSaved={setLastId}
          onClose={() => setForm(null)}
        />
      )}
    </>
  )
}
