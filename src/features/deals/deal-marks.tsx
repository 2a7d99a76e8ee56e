import { IconCalendarOff, IconHourglass, IconMail } from '@tabler/icons-react'
import { dealMarks } from '#domain/deal.ts'
import { useNow } from '#lib/use-now.ts'
import classes from './deal-marks.module.css'
import type { Deal } from './queries.ts'

const icons = { no_next_step: IconCalendarOff, reply_waits: IconMail, stalled: IconHourglass }

type DealMarksProps = {
  deal: Deal
  /** The words are beside the icons: a finger reaches no tooltip. */
  isLong?: boolean
}

/** What an open deal lacks, an icon each, whose words are its tooltip and its accessible name. */
export function DealMarks({ deal, isLong = false }: DealMarksProps) {
  const marks = dealMarks(deal, useNow())
  if (marks.length === 0) return null
  return (
    <span className={classes.marks} data-long={isLong || undefined}>
      {marks.map(({ kind, words }) => {
        const Icon = icons[kind]
        const name = isLong ? {} : { role: 'img', 'aria-label': words, title: words }
        return (
          <span key={kind} {...name} className={classes.mark} data-mark={kind}>
            <Icon size={15} stroke={1.7} aria-hidden />
            {isLong && words}
          </span>
        )
      })}
    </span>
  )
}
