import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './notice-section.module.css'

type NoticeSectionProps = {
  title: string
  order: 2 | 3
  /** Buttons for all of it. */
  action?: ReactNode
  children: ReactNode
}

/** What waits for the user above other content, such as new leads. */
export function NoticeSection({ title, order, action, children }: NoticeSectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <Title order={order} className={classes.title ?? ''}>
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  )
}
