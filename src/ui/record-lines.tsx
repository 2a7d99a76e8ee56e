import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './record-lines.module.css'

type RecordLinesProps<Row> = {
  rows: Row[]
  renderLine: (row: Row) => ReactNode
}

/** Linked records in a section of a record's page, one per line. */
export function RecordLines<Row extends { id: string }>({
  rows,
  renderLine,
}: RecordLinesProps<Row>) {
  return (
    <ul className={classes.list}>
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
  to: string
  avatar?: ReactNode
  about?: ReactNode
  /** A link of its own, such as an e-mail address. */
  link?: ReactNode
  badge: ReactNode
}

/** One record; the whole line links to its page. */
export function RecordLine({ name, to, avatar, about, link, badge }: RecordLineProps) {
  return (
    <>
      {avatar}
      <div className={classes.titles}>
        <Link to={to} className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </Link>
        {about && <span className={classes.about}>{about}</span>}
        {link && <div className={classes.link}>{link}</div>}
      </div>
      {badge}
    </>
  )
}

export function NoLines({ children }: { children: string }) {
  return <p className={classes.none}>{children}</p>
}
