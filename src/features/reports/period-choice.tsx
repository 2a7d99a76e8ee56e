import { Button } from '@mantine/core'
import { IconCalendarWeek } from '@tabler/icons-react'
import { Link } from 'react-router'
import { periods } from '#domain/period.ts'
import { useWeekStart } from '#features/preferences/index.ts'
import { useUrlChoices } from '#lib/url-state.ts'
import { reportUrlSchema } from './report-view.ts'
import classes from './reports.module.css'

/** One click for each usual period; a second click takes it back. */
export function PeriodChoice({ today }: { today: string }) {
  const { state, setState } = useUrlChoices(reportUrlSchema)
  const weekStart = useWeekStart()
  return (
    <div className={classes.periods}>
      <div className={classes.periodGroup}>
        {periods.map(({ name, of }) => {
          const { from, to } = of(today, weekStart)
          const isChosen = state.from === from && state.to === to
          return (
            <Button
              key={name}
              variant="subtle"
              color="gray"
              size="compact-sm"
              className={classes.period ?? ''}
              aria-pressed={isChosen}
              onClick={() => setState(isChosen ? { from: undefined, to: undefined } : { from, to })}
            >
              {name}
            </Button>
          )
        })}
      </div>
      <Button
        component={Link}
        to="/app/reports/week"
        variant="default"
        leftSection={<IconCalendarWeek size={16} stroke={1.5} aria-hidden />}
      >
        Week in review
      </Button>
    </div>
  )
}
