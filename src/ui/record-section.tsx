import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-layout.module.css'

type RecordSectionProps = {
  title: string
  /** How many there are, as it is shown. */
  count?: string | undefined
  action?: ReactNode
  /** Its length is not known yet: on a record's page what is below waits, so that it does not move. */
  isLoading?: boolean
  children: ReactNode
}

/** A titled section of a record's page. */
export function RecordSection({
  title,
  count,
  action,
  isLoading = false,
  children,
}: RecordSectionProps) {
  return (
    <section className={classes.section} aria-label={title} aria-busy={isLoading || undefined}>
      <div className={classes.sectionHead}>
        <Title order={2} className={classes.sectionTitle ?? ''}>
          {title}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </Title>
        {action}
      </div>
      {children}
    </section>
  )
}
