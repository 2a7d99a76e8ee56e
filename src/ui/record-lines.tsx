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
    <Lines>
      {rows.map((row) => (
        <Line key={row.id}>{renderLine(row)}</Line>
      ))}
    </Lines>
  )
}

/** The list that such lines stand in. */
export function Lines({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

export function Line({ children }: { children: ReactNode }) {
  return <li className={classes.line}>{children}</li>
}

/** What a line says, one below the other. */
export function LineTitles({ children }: { children: ReactNode }) {
  return <div className={classes.titles}>{children}</div>
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
      <LineTitles>
        <Link to={to} className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </Link>
        {about && <span className={classes.about}>{about}</span>}
        {link && <div className={classes.link}>{link}</div>}
      </LineTitles>
      {badge}
    </>
  )
}

export function NoLines({ children }: { children: string }) {
  return <p className={classes.none}>{children}</p>
}
