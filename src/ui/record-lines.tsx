import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './record-lines.module.css'

type RecordLinesProps<Row> = {
  rows: readonly Row[]
  renderLine: (row: Row) => ReactNode
  /** What they are, where no heading says it. */
  label?: string
}

/** Records in a section of a page, one per line. */
export function RecordLines<Row extends { id: string }>({
  rows,
  renderLine,
  label,
}: RecordLinesProps<Row>) {
  return (
    <ul className={classes.list} aria-label={label}>
      {rows.map((row) => (
        <li key={row.id} className={classes.line}>
          {renderLine(row)}
        </li>
      ))}
    </ul>
  )
}

type RecordLineProps = {
  name: string
  /** Where the whole line leads. */
  to?: string
  /** For the button that opens it, where it leads to no page. */
  open?: object
  avatar?: ReactNode
  about?: ReactNode
  /** A link of its own, such as an e-mail address. */
  link?: ReactNode
  /** At the end: a badge, or what can be done. */
  badge?: ReactNode
}

/** One record; the whole line links to its page, or opens it. */
export function RecordLine({ name, to, open, avatar, about, link, badge }: RecordLineProps) {
  const text = <bdi>{name}</bdi>
  return (
    <>
      {avatar}
      <div className={classes.titles}>
        {to !== undefined ? (
          <Link to={to} className={`${classes.name} ${classes.wide}`} title={name}>
            {text}
          </Link>
        ) : open ? (
          <UnstyledButton className={`${classes.name} ${classes.wide}`} title={name} {...open}>
            {text}
          </UnstyledButton>
        ) : (
          <span className={classes.name} title={name}>
            {text}
          </span>
        )}
        {about && <span className={classes.about}>{about}</span>}
        {link && <div className={classes.link}>{link}</div>}
      </div>
      {badge && <div className={classes.badge}>{badge}</div>}
    </>
  )
}

export function NoLines({ children }: { children: string }) {
  return <p className={classes.none}>{children}</p>
}
