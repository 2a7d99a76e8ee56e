import { Loader, Menu, Text } from '@mantine/core'
import {
  IconCheck,
  IconDeviceFloppy,
  IconPencil,
  IconPlus,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react'
import type { ViewScreen } from '#domain/saved-view.ts'
import { savedViewSchema } from '#domain/saved-view-form.ts'
import { useRememberScreen, useSeenScreens } from '#features/preferences/index.ts'
import { showError } from '#ui/toast.tsx'
import { type Unfolded, UnfoldedMenu } from '#ui/unfolded.tsx'
import { type SavedView, useChangeView, useDeleteView, type useSavedViews } from './queries.ts'
import classes from './saved-views.module.css'

type Views = ReturnType<typeof useSavedViews>

type ViewChoicesProps = Unfolded & {
  screen: ViewScreen
  views: Views
  /** The query of the list as it stands. */
  current: string
  /** The view that is open, maybe with changes. */
  open: SavedView | undefined
  isChanged: boolean
  /** Opens a view, or the usual list where it has no id. */
  onOpen: (view: { id?: string; query: string }) => void
  onForm: (form: 'save' | 'rename') => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The views of a list and what can be done with them, as a menu. */
export function ViewChoices(props: ViewChoicesProps) {
  const { screen, views, current, open, isChanged, onOpen, onForm, ...menu } = props
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
    <UnfoldedMenu width={264} classNames={{ itemLabel: classes.label ?? '' }} {...menu}>
      <div className={classes.views}>
        {views.rows.map((view) => (
          <Menu.Item
            key={view.id}
            aria-current={view === open ? 'true' : undefined}
            rightSection={view === open ? <IconCheck {...icon} /> : undefined}
            onClick={() => onOpen(view)}
          >
            <bdi className={classes.name} title={view.name}>
              {view.name}
            </bdi>
          </Menu.Item>
        ))}
      </div>
      <StateOfList {...views} />
      <Menu.Divider />
      <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => saving(() => onForm('save'))}>
        Save view
      </Menu.Item>
      {!isUsual && (
        <Menu.Item
          leftSection={<IconRestore {...icon} />}
          onClick={() => {
            remember({ widths: {} })
            onOpen({ query: '' })
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
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onForm('rename')}>
            <bdi className={classes.name}>Rename “{open.name}”</bdi>
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => quietly(remove(open))}>
            <bdi className={classes.name}>Delete “{open.name}”</bdi>
          </Menu.Item>
        </>
      )}
    </UnfoldedMenu>
  )
}

function StateOfList({ rows, isLoading, problem, refetch }: Views) {
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
