import { Button } from '@mantine/core'
import { IconSquareCheck } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { sortOptions } from '#domain/fields/list.ts'
import { taskFields, taskSorts } from '#domain/fields/tasks.ts'
import { SavedViewsMenu } from '#features/saved-views/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices, writeUrlState } from '#lib/url-state.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { ViewSwitch } from '#ui/view-switch.tsx'
import { CalendarButton } from './calendar/calendar-button.tsx'
import { filterChips, useLinkNames } from './task-chips.ts'
import { allTasks, mostFirst, taskUrlSchema } from './task-view.ts'

const TaskFilters = lazyPart(async () => (await import('./task-filters.tsx')).TaskFilters, {
  name: 'The filter',
})

type TaskToolbarProps = {
  /** Opens a saved view. */
  onOpen: (query: string) => void
  total: number | undefined
  /** Whether selection mode is on. */
  isChoosing: boolean
  onChoose: (isChoosing: boolean) => void
}

const sorts = sortOptions(taskFields, taskSorts)

/** Search, filters, order and views of the tasks, and how many there are. */
export function TaskToolbar(props: TaskToolbarProps) {
  const { onOpen, total, isChoosing, onChoose } = props
  const { state, setState: onChange } = useUrlChoices(taskUrlSchema)
  const linkNames = useLinkNames(state)
  const chips = filterChips(state, onChange, linkNames)
  return (
    <ListToolbar
      placeholder="Search tasks..."
      search={state.q}
      onSearch={(q) => onChange({ q }, { isTyping: true })}
      chips={chips}
      onShowAll={() => onChange(allTasks)}
      total={total === undefined ? undefined : counted(total, 'task')}
      more={
        <>
          <ViewSwitch
            aria-label="View"
            views={[
              { value: 'cards', label: 'Cards' },
              { value: 'agenda', label: 'Agenda' },
              { value: 'week', label: 'Week' },
            ]}
            value={state.view}
            onChange={(view) => onChange({ view })}
          />
          {state.view === 'cards' && (
            <SortMenu
              options={sorts}
              sort={state.sort}
              direction={directionOf(state, mostFirst)}
              onSort={(sort, direction) =>
                onChange({ sort, dir: directionInUrl(sort, direction, mostFirst) })
              }
            />
          )}
          <SavedViewsMenu
            screen="tasks"
            query={writeUrlState(taskUrlSchema, state).toString()}
            onOpen={onOpen}
          />
          <Button
            variant="default"
            aria-pressed={isChoosing}
            leftSection={<IconSquareCheck size={16} stroke={1.5} aria-hidden />}
            onClick={() => onChoose(!isChoosing)}
          >
            {isChoosing ? 'Done selecting' : 'Select'}
          </Button>
          <CalendarButton />
        </>
      }
    >
      <FilterPopover
        count={chips.length}
        onClear={() => onChange({ ...allTasks, q: state.q })}
        part={TaskFilters}
      >
        <TaskFilters state={state} onChange={onChange} linkNames={linkNames} />
      </FilterPopover>
    </ListToolbar>
  )
}
