import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fromList } from './from-list.ts'
import classes from './record-cell.module.css'

type RecordCellProps = {
  avatar: ReactNode
  name: string
  to: string
  /** A second line. */
  about?: string | null
  /** What stands behind the name. */
  children?: ReactNode
}

/** The cell of a table that stands for the record: its name leads to its page. */
export function RecordCell({ avatar, name, to, about, children }: RecordCellProps) {
  return (
    <div className={classes.cell}>
      {avatar}
      <div className={classes.lines}>
        <Link to={to} state={fromList} data-row-link className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </Link>
        {about && (
          <bdi className={classes.about} title={about}>
            {about}
          </bdi>
        )}
      </div>
      {children}
    </div>
  )
}

/** The first letters of a record; round for a person. */
export function RecordAvatar({ text, isRound = false }: { text: string; isRound?: boolean }) {
  return (
    <span className={classes.avatar} data-round={isRound || undefined} aria-hidden>
      {text}
    </span>
  )
}
