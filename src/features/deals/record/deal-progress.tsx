import { Button, Skeleton } from '@mantine/core'
import { IconThumbDown, IconTrophy } from '@tabler/icons-react'
import { shownDay } from '#domain/dates.ts'
import { type Stage, usePipelines } from '#features/pipelines/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import type { Deal } from '../queries.ts'
import classes from './deal-progress.module.css'
import { StagePath } from './stage-path.tsx'
import { useStageChoice } from './use-stage-choice.tsx'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type DealProgressProps = {
  deal: Deal
  isGone: boolean
}

/** The stage path of a deal, its outcome, and the buttons to change them. */
export function DealProgress({ deal, isGone }: DealProgressProps) {
  const { choose, markAsWon, markAsLost, question } = useStageChoice(deal)
  const { outcome } = deal
  return (
    <section className={classes.progress} aria-label="Progress">
      <div className={classes.row}>
        <div className={classes.path}>
          <Path deal={deal} isGone={isGone} onChoose={choose} />
        </div>
        <div className={classes.actions}>
          {outcome !== 'won' && (
            <Button
              variant="default"
              leftSection={<IconTrophy {...icon} />}
              disabled={isGone}
              onClick={markAsWon}
            >
              Mark as won
            </Button>
          )}
          {outcome !== 'lost' && (
            <Button
              variant="default"
              leftSection={<IconThumbDown {...icon} />}
              disabled={isGone}
              onClick={markAsLost}
            >
              Mark as lost
            </Button>
          )}
        </div>
      </div>
      {outcome !== 'open' && <Outcome deal={deal} />}
      {question}
    </section>
  )
}

/** Keeps its place until the deal is there. */
export function DealProgressSkeleton() {
  return (
    <div className={classes.progress} aria-hidden>
      <Skeleton height="var(--solo-control-height)" />
    </div>
  )
}

type PathProps = DealProgressProps & {
  onChoose: (stage: Pick<Stage, 'id' | 'name' | 'outcome'>) => void
}

function Path({ deal, isGone, onChoose }: PathProps) {
  const { pipelines, isLoading, error, refetch } = usePipelines()
  const pipeline = pipelines.find(({ id }) => id === deal.pipeline_id)
  if (isLoading) return <Skeleton height="var(--solo-control-height)" aria-hidden />
  if (error) {
    return (
      <p className={classes.words}>
        The stages could not be loaded.{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => refetch()}>
          Try again
        </Button>
      </p>
    )
  }
  if (!pipeline) {
    return <p className={classes.words}>No pipeline yet. Choose one in the details.</p>
  }
  return (
    <StagePath
      stages={pipeline.stages}
      current={deal.stage_name === null ? null : { name: deal.stage_name, outcome: deal.outcome }}
      isDisabled={isGone}
      onChoose={onChoose}
    />
  )
}

function Outcome({ deal: { outcome, closed_at, lost_reason } }: { deal: Deal }) {
  const timeZone = useTimeZone()
  const isWon = outcome === 'won'
  // Only the backend knows the day.
  const day = closed_at ? ` on ${shownDay(closed_at, timeZone)}` : ''
  return (
    <p className={classes.words}>
      <span className={classes.outcome} data-won={isWon || undefined}>
        {`${isWon ? 'Won' : 'Lost'}${day}${lost_reason ? ':' : ''}`}
      </span>
      {lost_reason && (
        <bdi className={classes.reason} title={lost_reason}>
          {lost_reason}
        </bdi>
      )}
      <span>Choose another stage to reopen it.</span>
    </p>
  )
}
