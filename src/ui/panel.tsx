import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './panel.module.css'

type PanelProps = { title: string; text?: string; children: ReactNode }

/** A titled card with rows. */
export function Panel({ title, text, children }: PanelProps) {
  return (
    <section className={classes.panel} aria-label={title}>
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        {text && <p className={classes.text}>{text}</p>}
      </div>
      {children}
    </section>
  )
}

type PanelRowProps = {
  title: ReactNode
  /** Beside the title. */
  badge?: ReactNode
  text?: ReactNode
  /** Its text takes the whole line, such as a bar of progress. */
  isWide?: boolean
  /** Actions at the right. */
  children?: ReactNode
}

/** A row of a panel: title, text and actions. */
export function PanelRow({ title, badge, text, isWide = false, children }: PanelRowProps) {
  return (
    <div className={classes.row}>
      <div className={classes.about} data-wide={isWide || undefined}>
        <div className={classes.title}>
          {title}
          {badge}
        </div>
        {text && <div className={classes.text}>{text}</div>}
      </div>
      {children && <div className={classes.controls}>{children}</div>}
    </div>
  )
}

/** Stands in a panel that has no rows. */
export function PanelNote({ children }: { children: ReactNode }) {
  return <div className={classes.note}>{children}</div>
}
