import { Button, Progress, Text, TextInput } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { typedFigure } from '#domain/figures.ts'
import { goalOf, goalWords, monthOfGoal } from '#domain/goal.ts'
import { shownMoney } from '#domain/money.ts'
import { usePreferences, useSavePreferences } from '#features/preferences/index.ts'
import { showToast } from '#ui/toast.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import classes from './goal.module.css'
import { useGoalProgress } from './queries.ts'

/** The goal of the month, set, changed and removed in place. */
export function Goal() {
  const { data: preferences } = usePreferences()
  const [isEditing, setIsEditing] = useState(false)
  if (!preferences) return null
  const goal = preferences.monthly_goal ?? null
  if (isEditing) return <GoalForm goal={goal} onClose={() => setIsEditing(false)} />
  if (goal === null) {
    return (
      <Button
        className={classes.set ?? ''}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconTargetArrow size={16} stroke={1.5} aria-hidden />}
        onClick={() => setIsEditing(true)}
      >
        Set a monthly goal
      </Button>
    )
  }
  return <GoalLine goal={goal} onEdit={() => setIsEditing(true)} />
}

function GoalLine({ goal, onEdit }: { goal: number; onEdit: () => void }) {
  const { data, error, refetch } = useGoalProgress()
  const words = data && goalWords(goal, data)
  return (
    <section className={classes.goal} aria-label="Monthly goal">
      <div className={classes.head}>
        <span className={classes.title}>
          {data ? `Goal for ${monthOfGoal(data.today)}` : 'Monthly goal'}
        </span>
        <span>{data ? `${shownMoney(data.won)} of ${shownMoney(goal)}` : shownMoney(goal)}</span>
        {words && <span className={classes.left}>{words.left}</span>}
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onEdit}>
          Edit goal
        </Button>
      </div>
      {error && !data ? (
        <Text size="sm" c="dimmed">
          Your progress could not be loaded.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => refetch()}>
            Try again
          </Button>
        </Text>
      ) : (
        <Progress
          value={Math.min(words?.percent ?? 0, 100)}
          size="sm"
          color={words && words.percent >= 100 ? 'green.7' : 'var(--solo-accent)'}
          aria-label={`${words?.percent ?? 0}% of the goal`}
        />
      )}
    </section>
  )
}

function GoalForm({ goal, onClose }: { goal: number | null; onClose: () => void }) {
  const save = useSavePreferences()
  const before = goal === null ? '' : typedFigure(goal)
  const [typed, setTyped] = useState(before)
  const { mayLeave } = useLeaveQuestion(typed.trim() !== before)
  async function remove(): Promise<void> {
    if (!(await store(null))) return
    showToast({
      message: 'Goal removed',
      // The mutation reports a failure and rolls back.
      action: { label: 'Undo', onClick: () => void save({ monthly_goal: goal }).catch(() => {}) },
    })
  }
  const [problem, setProblem] = useState<string | null>(null)
  async function store(monthly_goal: number | null): Promise<boolean> {
    try {
      await save({ monthly_goal })
      onClose()
      return true
    } catch {
      // Reported already; the form keeps its text.
      return false
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    const amount = goalOf(typed)
    if (amount === null) setProblem('Enter an amount above zero.')
    else store(amount)
  }
  async function leave(): Promise<void> {
    if (await mayLeave()) onClose()
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label="Goal" noValidate>
      <TextInput
        label="Monthly goal"
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        value={typed}
        error={problem}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(null)
        }}
        onKeyDown={(event) => event.key === 'Escape' && void leave()}
      />
      <div className={classes.buttons}>
        <Button type="submit">Save goal</Button>
        <Button variant="default" onClick={leave}>
          Cancel
        </Button>
        {goal !== null && (
          <Button variant="subtle" color="gray" onClick={remove}>
            Remove goal
          </Button>
        )}
      </div>
    </form>
  )
}
