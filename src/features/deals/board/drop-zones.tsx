import { IconThumbDown, IconTrophy } from '@tabler/icons-react'
import type { ClosedOutcome } from '#domain/deal.ts'
import classes from './drop-zones.module.css'

const icon = { size: 18, stroke: 1.5, 'aria-hidden': true }

const zones = {
  won: { label: 'Mark as won', icon: <IconTrophy {...icon} /> },
  lost: { label: 'Mark as lost', icon: <IconThumbDown {...icon} /> },
} satisfies Record<ClosedOutcome, unknown>

type DropZonesProps = {
  outcomes: ClosedOutcome[]
  target: ClosedOutcome | null
  register: (outcome: ClosedOutcome, element: HTMLElement | null) => void
}

/** Won and lost at the foot of the board during a drag, where their columns are not in sight. */
export function DropZones({ outcomes, target, register }: DropZonesProps) {
  return (
    <div className={classes.zones} aria-hidden>
      {outcomes.map((outcome) => (
        <div
          key={outcome}
          ref={(element) => {
            register(outcome, element)
            return () => register(outcome, null)
          }}
          className={classes.zone}
          data-zone={outcome}
          data-target={target === outcome || undefined}
        >
          {zones[outcome].icon}
          {zones[outcome].label}
        </div>
      ))}
    </div>
  )
}
