import { IconCalendarOff, IconHourglass } from '@tabler/icons-react'
import { dealMarks } from '#domain/deal.ts'
import { useNow } from '#lib/use-now.ts'
import classes from './deal-marks.module.css'
import type { Deal } from './queries.ts'

const icons = { no_next_step: IconCalendarOff, stalled: IconHourglass }

/** What an open deal lacks, an icon each, whose words are its tooltip and its accessible name. */
export function DealMarks({ deal }: { deal: Deal }) {
  const marks = dealMarks(deal, useNow())
  if (marks.length === 0) return null
  return (
    <span className={classes.marks}>
      {marks.map(({ kind, words }) => {
        const Icon = icons[kind]
        return (
          <span
            key={kind}
            role="img"
            aria-label={words}
            title={words}
            className={classes.mark}
            data-mark={kind}
          >
            <Icon size={15} stroke={1.7} aria-hidden />
          </span>
        )
      })}
    </span>
  )
}
