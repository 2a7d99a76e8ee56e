import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { dayOf } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import type { TaskCounts } from '#domain/task.ts'
import { weekOf } from '#domain/task-days.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { useListSelection } from '#lib/selection.ts'
import { useUrlChoices, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { CardGrid, CardGridSkeleton } from '#ui/card-grid.tsx'
import { lazyPart, opens } from '#ui/lazy-part.tsx'
import { ListBody, NoMatch } from '#ui/list-body.tsx'
import { ListScreen } from '#ui/list-screen.tsx'
import type { RowKeys } from '#ui/list-shortcuts.ts'
import { EmptyState, LoadingState } from '#ui/states.tsx'
import { TabBar } from '#ui/tab-bar.tsx'
import { usePreload } from '#ui/use-preload.ts'
import { useTaskCounts } from './counts/queries.ts'
import { WeekBar } from './days/week-bar.tsx'
import { type Task, taskList, useTabCounts } from './queries.ts'
import { TaskCard, taskCardHeight } from './task-card.tsx'
import { TaskDialog } from './task-dialog-parts.ts'
import { TaskLine } from './task-line.tsx'
import { OverdueBanner, TaskStats } from './task-stats.tsx'
import { TaskToolbar } from './task-toolbar.tsx'
import {
  allTasks,
  type TaskTab,
  type TaskUrlState,
  type TaskView,
  taskTabs,
  taskUrlSchema,
  taskView,
  unplannedView,
} from './task-view.ts'
import { useTaskActions } from './use-task-actions.ts'

const TaskSelectionBar = lazyPart(
  async () => (await import('./task-selection-bar.tsx')).TaskSelectionBar,
  { name: 'The selection bar' },
)

const TaskDays = lazyPart(async () => (await import('./days/task-days.tsx')).TaskDays, {
  name: 'The days',
  loading: () => <LoadingState text="Loading tasks..." />,
})

export function TasksPage() {
  const { state, setState, noticeFor } = useUrlState(taskUrlSchema)
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const today = dayOf(useNow(), timeZone)
  const week = useMemo(() => weekOf(state.week ?? today, weekStart), [state.week, today, weekStart])
  const view = useMemo(() => taskView(state, timeZone, week), [state, timeZone, week])
  const unplanned = useMemo(() => unplannedView(state, timeZone), [state, timeZone])
  const list = useList(taskList, view)
  // Without `unplanned` this is the same query as `list`: nothing more is read.
  const beside = useList(taskList, unplanned ?? view)
  const { counts, isFirst, isWriting } = useTaskCounts()
  // The counts decide whether something stands above the list, which must not jump.
  const [isNew] = useState(list.isLoading)
  const isHeldBack = isFirst && isNew
  const tabCounts = useTabCounts(view.filter, list.rows)
  const isTabGone = state.tab === 'overdue' && counts?.overdue === 0 && !isWriting
  // The tab Overdue goes when nothing is overdue any more.
  useEffect(() => {
    if (isTabGone) setState({ tab: 'all' }, { isTyping: true })
  }, [isTabGone, setState])
  const selected = useListSelection(list.rows, view.filter, list.total)
  const [isChoosing, setIsChoosing] = useState(false)
  usePreload(isChoosing, TaskSelectionBar)
  const [form, setForm] = useState<{ task?: Task } | null>(null)
  const navigate = useNavigate()
  function choose(isOn: boolean): void {
    setIsChoosing(isOn)
    if (!isOn) selected.clear()
  }
  return (
    <>
      <ListScreen
        title="Task Management"
        tabTitle="Tasks"
        subtitle="Stay organized and track your progress"
        actions={
          <Button
            leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
            {...opens(TaskDialog, () => setForm({}))}
          >
            New Task
          </Button>
        }
        summary={
          <>
            <TaskStats counts={counts} />
            <OverdueBanner
              count={counts?.overdue ?? 0}
              onShow={() => setState({ ...allTasks, tab: 'overdue' })}
            />
          </>
        }
        toolbar={
          !isHeldBack && (
            <TaskToolbar
              onOpen={(query) => navigate({ search: query })}
              total={list.shownTotal}
              isChoosing={isChoosing}
              onChoose={choose}
            />
          )
        }
        notice={noticeFor('Tasks')}
      >
        {!isHeldBack && (
          <TaskTabs counts={tabCounts}>
            {state.view === 'week' && (
              <WeekBar
                week={week}
                isThisWeek={week.includes(today)}
                onWeek={(day) => setState({ week: day })}
              />
            )}
            <TaskCards
              list={list}
              state={state}
              week={state.view === 'week' ? week : null}
              beside={unplanned && beside}
              isSearched={isSearched(state, timeZone)}
              hasTasks={(counts?.total ?? 0) > 0}
              onCreate={() => setForm({})}
              onShowAll={(changes) => setState({ ...allTasks, ...changes })}
              onEdit={(task) => setForm({ task })}
              keys={{
                isSelected: ({ id }) => isChoosing && selected.isSelected(id),
                onSelect({ id }) {
                  setIsChoosing(true)
                  selected.toggle(id)
                },
              }}
              choiceOf={
                isChoosing
                  ? (task) =>
                      // "Select all" covers only the list, so the unplanned tasks beside the week cannot be chosen then.
                      selected.isEverything && !list.rows.includes(task)
                        ? null
                        : {
                            isChosen: selected.isSelected(task.id),
                            onToggle: () => selected.toggle(task.id),
                          }
                  : () => null
              }
            />
          </TaskTabs>
        )}
      </ListScreen>
      {isChoosing && selected.count > 0 && (
        <TaskSelectionBar
          chosen={selected.chosen}
          matching={selected.matching}
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          onWrite={selected.clearFor}
        />
      )}
      {form && <TaskDialog {...form} onClose={() => setForm(null)} />}
    </>
  )
}

/** Whether a search or a filter may hide tasks; the week shown is none. */
function isSearched(state: TaskUrlState, timeZone: string): boolean {
  const { filter } = taskView({ ...state, view: 'cards' }, timeZone, [])
  return Object.keys(filter).some((name) => name !== 'status')
}

const tabNames: Record<TaskTab, string> = {
  all: 'All Tasks',
  pending: 'Pending',
  completed: 'Completed',
  overdue: 'Overdue',
}

type TaskTabsProps = {
  counts: Pick<TaskCounts, 'total' | 'pending' | 'completed' | 'overdue'> | undefined
  children: React.ReactNode
}

function TaskTabs({ counts, children }: TaskTabsProps) {
  const { state, setState } = useUrlChoices(taskUrlSchema)
  const { tab } = state
  const figures: Record<TaskTab, number> = {
    all: counts?.total ?? 0,
    pending: counts?.pending ?? 0,
    completed: counts?.completed ?? 0,
    overdue: counts?.overdue ?? 0,
  }
  const shown = taskTabs.filter((each) => each !== 'overdue' || figures.overdue > 0 || tab === each)
  return (
    <TabBar
      tabs={shown.map((each) => ({
        value: each,
        label: `${tabNames[each]} (${shownNumber(figures[each])})`,
      }))}
      value={tab}
      onChange={(value) => setState({ tab: value })}
    >
      {children}
    </TabBar>
  )
}

const none: Task[] = []

type TaskCardsProps = {
  list: ReturnType<typeof useList<Task, TaskView>>
  state: TaskUrlState
  /** The days of the week view. */
  week: string[] | null
  /** What the week shows beside its days. */
  beside: ReturnType<typeof useList<Task, TaskView>> | null
  isSearched: boolean
  hasTasks: boolean
  onCreate: () => void
  onShowAll: (changes?: { tab: 'all' }) => void
  onEdit: (task: Task) => void
  /** Further actions of the keys. */
  keys: RowKeys<Task>
  choiceOf: (task: Task) => { isChosen: boolean; onToggle: () => void } | null
}

function TaskCards(props: TaskCardsProps) {
  const { list, state, week, beside, onEdit, choiceOf } = props
  const { complete, remove } = useTaskActions()
  const keys: RowKeys<Task> = {
    ...props.keys,
    onEdit,
    onTick: (task) => complete(task, !task.completed),
    onRemove: remove,
  }
  // Wait for the unplanned tasks, too: their column must not push the days aside later.
  const days = beside?.isLoading ? (
    <LoadingState text="Loading tasks..." />
  ) : (
    <TaskDays
      tasks={list.rows}
      week={week}
      unplanned={beside?.rows ?? none}
      isDone={state.tab === 'completed'}
      renderTask={(task) => (
        <TaskLine task={task} onEdit={() => onEdit(task)} choice={choiceOf(task)} />
      )}
      onEdit={onEdit}
      choiceOf={choiceOf}
      keys={keys}
      onNearEnd={list.more.load}
      onShown={list.onShown}
      isOutdated={list.isOutdated}
    />
  )
  // A week without a task is a week all the same.
  const isEmptyWeek = week !== null && props.hasTasks && !props.isSearched
  return (
    <ListBody
      list={list}
      name="tasks"
      skeleton={<CardGridSkeleton text="Loading tasks..." cardHeight={taskCardHeight} />}
      empty={isEmptyWeek ? days : <NoTasks {...props} />}
    >
      {state.view !== 'cards' ? (
        days
      ) : (
        <CardGrid
          label="Tasks"
          items={list.rows}
          total={list.total}
          cardHeight={taskCardHeight}
          renderCard={(task) => (
            <TaskCard
              task={task}
              onEdit={() => onEdit(task)}
              onPointAtEdit={TaskDialog.preload}
              choice={choiceOf(task)}
            />
          )}
          keys={keys}
          onNearEnd={list.more.load}
          onShown={list.onShown}
          isOutdated={list.isOutdated}
        />
      )}
    </ListBody>
  )
}

function NoTasks({ isSearched, hasTasks, onCreate, onShowAll }: TaskCardsProps) {
  const title = 'No tasks found'
  const hint = 'Try adjusting your search terms'
  if (isSearched) return <NoMatch title={title} hint={hint} onClear={() => onShowAll()} />
  if (hasTasks) {
    const showAll = () => onShowAll({ tab: 'all' })
    return (
      <EmptyState
        title={title}
        hint={hint}
        action={
          <Button variant="default" onClick={showAll}>
            Show all tasks
          </Button>
        }
      />
    )
  }
  return (
    <EmptyState
      title={title}
      hint="Create your first task to get started"
      action={<Button onClick={onCreate}>Create your first task</Button>}
    />
  )
}
