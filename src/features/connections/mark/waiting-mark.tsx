import { counted } from '#domain/counted.ts'
import classes from './mark.module.css'
import { useProposalCount } from './queries.ts'

/** A dot at the bell while proposals wait. */
export function ProposalsMark() {
  const count = useProposalCount()
  if (count === 0) return null
  const words = `${counted(count, 'proposal')} ${count === 1 ? 'waits' : 'wait'} for you`
  return <span role="img" aria-label={words} className={classes.mark} />
}
