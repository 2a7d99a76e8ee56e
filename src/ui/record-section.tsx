import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-layout.module.css'

type RecordSectionProps = {
  title: string
  count?: number | undefined
  action?: ReactNode
  children: ReactNode
}

/** A titled section of a record's page. */
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
