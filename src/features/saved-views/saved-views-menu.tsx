import { Button, Loader, Menu, Text } from '@mantine/core'
import {
  IconBookmark,
  IconCheck,
  IconDeviceFloppy,
  IconPencil,
  IconPlus,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { normalisedQuery, savedViewSchema, type ViewScreen } from '#domain/saved-view.ts'
import { useRememberScreen, useSeenScreens } from '#features/preferences/index.ts'
import { showError } from '#ui/toast.tsx'
import { useChangeView, useDeleteView, useSavedViews } from './queries.ts'
import classes from './saved-views.module.css'
import { useOpenView } from './use-open-view.ts'
import { ViewDialog } from './view-dialog.tsx'

type SavedViewsMenuProps = {
  screen: ViewScreen
  /** The current address query. */
  query: string
  onOpen: (query: string) => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The menu 'Views': opens, saves, renames and deletes saved views. */
export function SavedViewsMenu({ screen, query, onOpen }: SavedViewsMenuProps) {
  const views = useSavedViews(screen)
  const current = normalisedQuery(query)
  const { open, isChanged, setLastId } = useOpenView(views.rows, current)
  const [form, setForm] = useState<'save' | 'rename' | null>(null)
  const update = useChangeView(screen, { saved: 'View updated', failed: 'Failed to update view' })
  const remove = useDeleteView(screen)
  const { widths } = useSeenScreens()(screen)
  const remember = useRememberScreen(screen)
  const isUsual = current === '' && Object.keys(widths).length === 0

  /** Runs the action only if the view is valid. */
  function saving(action: () => void): void {
    const problem = savedViewSchema.shape.query.safeParse(current).error?.issues[0]
    if (problem) showError(problem.message)
    else action()
  }
  // The mutation reports a failure and rolls back.
  const quietly = (write: Promise<unknown>) => void write.catch(() => {})

  return (
    <>
      <Menu
        position="bottom-start"
        width={264}
        shadow="md"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        classNames={{ itemLabel: classes.label ?? '' }}
      >
        <Menu.Target>
          <Button
            variant="default"
            className={classes.button ?? ''}
            leftSection={<IconBookmark {...icon} />}
            aria-label={open ? `Views: ${open.name}${isChanged ? ', changed' : ''}` : 'Views'}
          >
            {open ? <bdi title={open.name}>{open.name}</bdi> : 'Views'}
            {isChanged && <span className={classes.changed} aria-hidden />}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.views}>
            {views.rows.map((view) => (
              <Menu.Item
                key={view.id}
                aria-current={view === open ? 'true' : undefined}
                rightSection={view === open ? <IconCheck {...icon} /> : undefined}
                onClick={() => {
                  setLastId(view.id)
                  onOpen(view.query)
                }}
              >
                <bdi className={classes.name} title={view.name}>
                  {view.name}
                </bdi>
              </Menu.Item>
            ))}
          </div>
          <StateOfList {...views} />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus {...icon} />}
            onClick={() => saving(() => setForm('save'))}
          >
            Save view
          </Menu.Item>
          {!isUsual && (
            <Menu.Item
              leftSection={<IconRestore {...icon} />}
              onClick={() => {
                remember({ widths: {} })
                onOpen('')
              }}
            >
              Reset view
            </Menu.Item>
          )}
          {open && isChanged && (
            <Menu.Item
              leftSection={<IconDeviceFloppy {...icon} />}
              onClick={() => saving(() => quietly(update({ id: open.id, query: current })))}
            >
              <bdi className={classes.name}>Update “{open.name}”</bdi>
            </Menu.Item>
          )}
          {open && (
            <>
              <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setForm('rename')}>
                <bdi className={classes.name}>Rename “{open.name}”</bdi>
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash {...icon} />}
                onClick={() => quietly(remove(open))}
              >
                <bdi className={classes.name}>Delete “{open.name}”</bdi>
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
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

function StateOfList({ rows, isLoading, problem, refetch }: ReturnType<typeof useSavedViews>) {
  if (isLoading) {
    return (
      <div className={classes.state} role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          Loading views...
        </Text>
      </div>
    )
  }
  if (problem) {
    return (
      <Menu.Item closeMenuOnClick={false} onClick={() => refetch()}>
        The views could not be loaded. {problem} Try again.
      </Menu.Item>
    )
  }
  if (rows.length > 0) return null
  return <Menu.Label>No views yet. Filter or sort the list, then save it as a view.</Menu.Label>
}
