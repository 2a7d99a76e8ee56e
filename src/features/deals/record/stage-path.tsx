import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { Stage } from '#features/pipelines/index.ts'
import classes from './stage-path.module.css'

type Step = Pick<Stage, 'id' | 'name' | 'outcome'>

type StagePathProps = {
  stages: Step[]
  /** The current stage; a write under way may have no id. */
  current: Omit<Step, 'id'> | null
  isDisabled: boolean
  onChoose: (stage: Step) => void
}

/** The stages of a pipeline in their order; a press moves the deal there. */
export function StagePath({ stages, current, isDisabled, onChoose }: StagePathProps) {
  const list = useRef<HTMLOListElement>(null)
  // A stage that is just being created or was renamed is a step too.
  const isKnown = current === null || stages.some(({ name }) => name === current.name)
  const steps = isKnown ? stages : [...stages, { id: 'current', ...current }]
  const place = steps.findIndex(({ name }) => name === current?.name)

  useEffect(() => {
    const box = list.current
    const step = box?.children.item(place)
    if (!box || !(step instanceof HTMLElement)) return
    box.scrollLeft = step.offsetLeft - (box.clientWidth - step.offsetWidth) / 2
  }, [place])

  return (
    <ol ref={list} className={classes.path} aria-label="Stages">
      {steps.map((step, index) => {
        const isCurrent = index === place
        // A lost deal marks no earlier stages as done.
        const isDone = index < place && current?.outcome !== 'lost'
        return (
          <li
            key={step.id}
            className={classes.step}
            data-done={isDone || undefined}
            data-current={isCurrent ? step.outcome : undefined}
          >
            <button
              type="button"
              className={classes.button}
              title={isCurrent ? step.name : `Move to ${step.name}`}
              aria-label={isCurrent ? step.name : `Move to ${step.name}`}
              aria-current={isCurrent ? 'step' : undefined}
              // Not `disabled`, which would lose the focus.
              aria-disabled={isCurrent || undefined}
              disabled={isDisabled}
              onClick={() => !isCurrent && onChoose(step)}
            >
              {isDone && <IconCheck size={14} stroke={2} aria-hidden />}
              <bdi className={classes.name}>{step.name}</bdi>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
