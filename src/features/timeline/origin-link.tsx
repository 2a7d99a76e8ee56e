import { Link } from 'react-router'
import { type Origin, tableOf } from '#domain/timeline.ts'
import classes from './timeline.module.css'

/** Leads to the record on which an entry was made: 'on Website relaunch'. */
export function OriginLink({ origin }: { origin: Origin }) {
  return (
    <span className={classes.origin}>
      {'on '}
      <Link to={pageOf(origin)} title={origin.name}>
        <bdi>{origin.name}</bdi>
      </Link>
    </span>
  )
}

export function pageOf({ record, id }: Origin): string {
  return `/app/${tableOf(record)}/${id}`
}
