import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-layout.module.css'

type RecordSectionProps = {
  title: string
  /** How many there are, where it lists something. */
  count?: number | undefined
  action?: ReactNode
  children: ReactNode
}

/** A part of a record's page, under its own title. */
export function RecordSection({ title, count, action, children }: RecordSectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.sectionHead}>
        <Title order={2} className={classes.sectionTitle ?? ''}>
          {title}
          {count !== undefined && (
            <span className={classes.count}>{count.toLocaleString('en-US')}</span>
          )}
        </Title>
        {action}
      </div>
      {children}
    </section>
  )
}
