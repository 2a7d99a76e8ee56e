import { Skeleton, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './day-lines.module.css'

type DaySectionProps = {
  day: string
  /** How deep its heading stands. */
  order?: 2 | 3
  children: ReactNode
}

/** What belongs to one day, under its name. */
export function DaySection({ day, order = 2, children }: DaySectionProps) {
  const Heading = `h${order}` as const
  return (
    <section className={classes.day}>
      <Heading className={classes.heading}>{day}</Heading>
      {children}
    </section>
  )
}

/** The ground on which lines stand. */
export function LineSurface({ children }: { children: ReactNode }) {
  return <div className={classes.surface}>{children}</div>
}

export function Lines({ children }: { children: ReactNode }) {
  return <ol className={classes.lines}>{children}</ol>
}

type LineProps = {
  icon: Icon
  /** What it is, and what helps to tell it from others. */
  children: ReactNode
  when: ReactNode
  actions: ReactNode
  /** Those of `useListKeys`, where the lines have keys. */
  rowProps?: Record<string, unknown>
}

/** One thing with its moment and what can be done about it. On the phone the moment goes below. */
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

/** Lines on their way. */
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
