import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { NavLink } from 'react-router'
import { shownNumber } from '#domain/figures.ts'
import { hasOwnServer } from '#lib/server-call.ts'
import classes from './mark.module.css'
import { useOutboxCount } from './queries.ts'

type OutboxEntryProps = { entryClass: string; onNavigate: (() => void) | undefined }

/** Leads to the outbox while something waits there, in red when something could not be sent. */
export function OutboxEntry(props: OutboxEntryProps) {
  // A hosted project sends nothing.
  const [isOffered] = useState(hasOwnServer)
  return isOffered ? <Entry {...props} /> : null
}

function Entry({ entryClass, onNavigate }: OutboxEntryProps) {
  const { data } = useOutboxCount()
  if (!data || data.count === 0) return null
  const count = `${shownNumber(data.count)}${data.isMore ? '+' : ''}`
  return (
    <NavLink to="/app/outbox" className={entryClass} onClick={onNavigate}>
      <IconSend size={18} stroke={1.5} aria-hidden />
      Outbox
      <span
        className={classes.count}
        data-failed={data.failed > 0 || undefined}
        title={data.failed > 0 ? `${shownNumber(data.failed)} not sent` : 'Waiting to be sent'}
      >
        {count}
      </span>
    </NavLink>
  )
}
