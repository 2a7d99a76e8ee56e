import { Skeleton, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './day-lines.module.css'

type DaySectionProps = {
  day: string
  /** The level of the heading. */
  order?: 2 | 3
  children: ReactNode
}

/** A section with the day as its heading. */
export function DaySection({ day, order = 2, children }: DaySectionProps) {
  const Heading = `h${order}` as const
  return (
    <section className={classes.day}>
      <Heading className={classes.heading}>{day}</Heading>
      {children}
    </section>
  )
}

/** The card around lines. */
export function LineSurface({ children }: { children: ReactNode }) {
  return <div className={classes.surface}>{children}</div>
}

export function Lines({ children }: { children: ReactNode }) {
  return <ol className={classes.lines}>{children}</ol>
}

type LineProps = {
  icon: Icon
  children: ReactNode
  when: ReactNode
  actions: ReactNode
  /** From `useListKeys`. */
  rowProps?: Record<string, unknown>
}

/** A line with icon, text, time and actions. On the phone the time goes below. */
export function Line({ icon: LineIcon, children, when, actions, rowProps }: LineProps) {
  return (
    <li className={classes.item} {...rowProps}>
      <div className={classes.line}>
        <LineIcon className={classes.icon} size={16} stroke={1.5} aria-hidden />
        <div className={classes.words}>{children}</div>
        <div className={classes.when}>{when}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </li>
  )
}

const skeletons = ['one', 'two', 'three', 'four', 'five', 'six']

/** Placeholders while the lines load. */
export function LinesSkeleton({ text }: { text: string }) {
  return (
    <div role="status">
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <div className={classes.surface} aria-hidden>
        {skeletons.map((key) => (
          <div key={key} className={classes.item}>
            <Skeleton height={20} m={16} w="auto" />
          </div>
        ))}
      </div>
    </div>
  )
}
