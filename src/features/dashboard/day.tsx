import type { ReactNode } from 'react'
import { RecentActivity } from '#features/history/index.ts'
import { PeopleWrittenTo, RepliesWaiting } from '#features/mail/index.ts'
import { Attention } from './attention.tsx'
import classes from './dashboard.module.css'
import { FirstSteps } from './first-steps.tsx'
import { Goal } from './goal.tsx'
import type { Figures } from './queries.ts'
import { SamplesBar } from './samples-bar.tsx'
import { TodayTasks } from './today-tasks.tsx'

type DayProps = {
  figures: Figures
  readAt: number
  /** On the phone, what stands below the day. */
  children?: ReactNode
}

/** Today's tasks, deals that need attention and recent activity; first steps in an empty account. */
export function Day({ figures, readAt, children }: DayProps) {
  const { contacts, companies, deals, has_tasks, has_samples } = figures
  const isEmpty = contacts.total + companies.total + deals.total === 0 && !has_tasks
  const head = (
    <>
      {has_samples && <SamplesBar />}
      {!isEmpty && <Goal />}
    </>
  )
  return (
    <>
      {!children && head}
      <div className={classes.columns}>
        <div className={classes.column}>
          {isEmpty ? (
            <FirstSteps />
          ) : (
            <>
              <TodayTasks
                overdue={figures.overdue}
                today={figures.today}
                attention={figures.attention}
                readAt={readAt}
              />
              <RepliesWaiting />
              <Attention {...figures.attention} />
              <PeopleWrittenTo />
            </>
          )}
        </div>
        {children ? (
          <div>
            {head}
            {children}
          </div>
        ) : null}
        <RecentActivity />
      </div>
    </>
  )
}
