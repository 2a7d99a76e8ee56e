import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import classes from './emails.module.css'

type FootProps = {
  onBack: () => void
  onClose: () => void
  /** Shows only Close. */
  isEnd?: boolean
}

/** The footer of the second step: back to the message, or close. */
export function Foot({ onBack, onClose, isEnd = false }: FootProps) {
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isEnd) done.current?.focus()
  }, [isEnd])
  return (
    <div className={classes.foot}>
      <Button variant="default" className={classes.back ?? ''} onClick={onBack}>
        Back
      </Button>
      <Button ref={done} variant={isEnd ? 'filled' : 'default'} onClick={onClose}>
        {isEnd ? 'Done' : 'Cancel'}
      </Button>
    </div>
  )
}
