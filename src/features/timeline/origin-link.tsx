import { Link } from 'react-router'
import { type Origin, originWord, type TimelineKind, tableOf } from '#domain/timeline.ts'
import classes from './timeline.module.css'

type OriginLinkProps = { origin: Origin; kind: TimelineKind }

/** Leads to the record on which an entry was made: 'on Website relaunch'. */
export function OriginLink({ origin, kind }: OriginLinkProps) {
  return (
    <span className={classes.origin}>
      {`${originWord(origin.record, kind)} `}
      <Link to={pageOf(origin)} title={origin.name}>
        <bdi>{origin.name}</bdi>
      </Link>
    </span>
  )
}

export function pageOf({ record, id }: Origin): string {
  return `/app/${tableOf(record)}/${id}`
}
