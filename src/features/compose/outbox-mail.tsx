import { Button } from '@mantine/core'
import { shownMoment } from '#domain/dates.ts'
import { namesOf } from '#domain/mail.ts'
import type { OutboxMail } from '#domain/outgoing-mail.ts'
import { openComposer } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { PanelRow } from '#ui/panel.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './outbox.module.css'
import { useForgetMails, useRetryMails, useStopMails } from './queries.ts'

/** A mail of the outbox, with what can be done with it in its state. */
export function OutboxMailRow({ mail }: { mail: OutboxMail }) {
  const timeZone = useTimeZone()
  const stop = useStopMails()
  const retry = useRetryMails()
  const forget = useForgetMails()
  const { id, state, subject, to, send_at, problem, tries } = mail
  const name = subject || 'No subject'
  const who = namesOf(to.map(({ address, name: known }) => ({ address, name: known ?? '' })))
  const isWaiting = state === 'planned'
  const when = isWaiting
    ? `Scheduled for ${shownMoment(send_at, timeZone)}`
    : shownMoment(send_at, timeZone)

  async function again(): Promise<void> {
    if (mail.may_have_left) {
      const isSure = await confirmAction({
        title: 'Send it again?',
        body: 'It may have been sent already. It’s looked for in the sent folder first; if it isn’t there, it’s sent once more.',
        confirm: 'Try again',
      })
      if (!isSure) return
    }
    retry.mutate([id])
  }
  async function remove(): Promise<void> {
    const isSure = await confirmAction({
      title: 'Delete this email?',
      body: 'It hasn’t been sent, and its text is deleted for good.',
      confirm: 'Delete',
      isDangerous: true,
    })
    if (isSure) forget.mutate([id])
  }
  return (
    <PanelRow
      title={<bdi>{name}</bdi>}
      badge={state === 'sending' && <TintBadge color="blue">Sending…</TintBadge>}
      text={
        <>
          <span className={classes.who}>
            To <bdi>{who}</bdi> · {when}
            {tries > 1 && ` · tried ${tries} times`}
          </span>
          {problem && (
            <span className={state === 'failed' ? classes.problem : classes.note}>{problem}</span>
          )}
        </>
      }
    >
      {(state === 'failed' || state === 'stopped') && (
        <Button
          variant="default"
          aria-label={state === 'failed' ? `Try again: ${name}` : `Send ${name}`}
          loading={retry.isPending}
          onClick={again}
        >
          {state === 'failed' ? 'Try again' : 'Send'}
        </Button>
      )}
      {isWaiting && (
        <Button
          variant="default"
          aria-label={`Stop ${name}`}
          loading={stop.isPending}
          onClick={() => stop.mutate([id])}
        >
          Stop
        </Button>
      )}
      {state !== 'sending' && state !== 'sent' && (
        <Button
          variant="default"
          aria-label={`Edit ${name}`}
          // What still waits does not leave while it is written on.
          onClick={() => openComposer({ outgoing: id })}
        >
          Edit
        </Button>
      )}
      {(state === 'failed' || state === 'stopped') && (
        <Button
          variant="subtle"
          color="gray"
          aria-label={`Delete ${name}`}
          loading={forget.isPending}
          onClick={remove}
        >
          Delete
        </Button>
      )}
      {state === 'sent' && (
        <Button
          variant="subtle"
          color="gray"
          aria-label={`Dismiss ${name}`}
          loading={forget.isPending}
          onClick={() => forget.mutate([id])}
        >
          Dismiss
        </Button>
      )}
    </PanelRow>
  )
}
