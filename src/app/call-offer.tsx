import { Button, CloseButton } from '@mantine/core'
import { useLocation, useNavigate } from 'react-router'
import { minutesAway } from '#domain/call-length.ts'
import { askToLog } from '#features/timeline/index.ts'
import classes from './call-offer.module.css'
import type { Call } from './call-offer-host.tsx'

type CallOfferProps = { call: Call; onClose: () => void }

/** Offers to log a call that was made, on the record whose number it was. */
export function CallOffer({ call: { number, record, from, until }, onClose }: CallOfferProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  function log(): void {
    onClose()
    askToLog('call', { minutes: minutesAway(from, until), on: record.id })
    if (!pathname.endsWith(`/${record.id}`)) navigate(record.path)
  }
  return (
    <div className={classes.offer}>
      <span className={classes.words}>
        You called <bdi dir="ltr">{number}</bdi>.
      </span>
      <Button variant="default" size="compact-sm" onClick={log}>
        Log this call
      </Button>
      <CloseButton size="sm" aria-label="Don’t log this call" onClick={onClose} />
    </div>
  )
}
