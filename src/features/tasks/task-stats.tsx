import { IconAlertTriangle } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { completionRate } from '#domain/task.ts'
import { noFigure, StatCard, StatCards } from '#ui/stat-card.tsx'
import type { StoredCounts } from './counts/queries.ts'
import classes from './task-stats.module.css'

/** The four cards above the tasks. */
export function TaskStats({ counts }: { counts: StoredCounts | undefined }) {
  const rate = counts && completionRate(counts)
  return (
    // The tasks have the room.
    <StatCards isCompact>
      <StatCard name="Total Tasks" value={shown(counts?.total)} />
      <StatCard name="Pending" value={shown(counts?.pending)} />
      <StatCard name="Completed" value={shown(counts?.completed)} />
      <StatCard name="Completion Rate" value={shown(rate, '%')}>
        <div
          role="progressbar"
          aria-label="Completion Rate"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={rate ?? 0}
          className={classes.rate}
        >
          <div style={{ width: `${rate ?? 0}%` }} />
        </div>
      </StatCard>
    </StatCards>
  )
}

function shown(figure: number | undefined, unit = ''): string {
  return figure === undefined ? noFigure : `${shownNumber(figure)}${unit}`
}

/** Shown while tasks are overdue. */
export function OverdueBanner({ count, onShow }: { count: number; onShow: () => void }) {
  if (count === 0) return null
  return (
    <div role="alert" aria-label="Overdue Tasks" className={classes.banner}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <strong>Overdue Tasks</strong>
      <span>{counted(count, 'task')} past due</span>
      <button type="button" onClick={onShow}>
        View
      </button>
    </div>
  )
}
