import { Button, Progress } from '@mantine/core'
import { useEffect } from 'react'
import { counted } from '#domain/counted.ts'
import { shownMoment } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import { namesOf } from '#domain/mail.ts'
import type { OutboxMail, OutboxRun } from '#domain/outgoing-mail.ts'
import { openComposer } from '#features/forms/index.ts'
import { MailboxTrouble } from '#features/mail/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { useNow } from '#lib/use-now.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './outbox.module.css'
import {
  useForgetMails,
  useForgetRun,
  useOutbox,
  useRetryMails,
  useRetryRun,
  useStopMails,
  useStopRun,
} from './queries.ts'

/** What waits to leave, is leaving, or could not. */
export function OutboxPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOutbox()
  const all = data?.pages.flatMap((page) => page.mails) ?? []
  const runs = data?.pages[0]?.runs ?? []
  // Those of a run that still wait are told by its line.
  const mails = all.filter(({ run, state }) => !run || !isOnItsWay[state])
  const isShort = hasNextPage && !isFetchingNextPage && !error && mails.length < few
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
  return (
    <PanelScreen
      title="Outbox"
      subtitle="Scheduled, sending and failed emails"
      actions={
        <Button variant="default" onClick={() => openComposer({})}>
          New email
        </Button>
      }
    >
      <MailboxTrouble />
      {error && !data ? (
        <ErrorState
          title="The outbox could not be loaded"
          message={errorMessage(error)}
          onRetry={refetch}
        />
      ) : !data ? (
        <LoadingState text="Loading outbox..." />
      ) : mails.length === 0 && runs.length === 0 ? (
        <EmptyState
          title="Your outbox is empty"
          hint="Emails wait here until they’re sent. Sent emails are on the timelines."
        />
      ) : (
        <>
          <Runs runs={runs} mails={all} />
          {groups.map(({ title, text, states }) => {
            const rows = mails.filter(({ state }) => states.includes(state))
            if (rows.length === 0) return null
            return (
              <Panel key={title} title={title} {...(text ? { text } : {})}>
                {rows.map((mail) => (
                  <MailRow key={mail.id} mail={mail} />
                ))}
              </Panel>
            )
          })}
          {hasNextPage && (
            <Button
              variant="default"
              aria-disabled={isFetchingNextPage}
              onClick={() => fetchNextPage()}
            >
              {isFetchingNextPage ? 'Loading emails...' : 'Show more emails'}
            </Button>
          )}
        </>
      )}
    </PanelScreen>
  )
}

/** The next page is read by itself while less than this is shown: a page may be all of one run. */
const few = 20

const isOnItsWay: Record<OutboxMail['state'], boolean> = {
  ...{ planned: true, sending: true },
  ...{ sent: false, failed: false, stopped: false },
}

type Group = { title: string; text?: string; states: OutboxMail['state'][] }

const groups: Group[] = [
  { title: 'Not sent', states: ['failed'] },
  { title: 'Waiting', states: ['planned', 'sending'] },
  { title: 'Stopped', text: 'Not sent until you resume them.', states: ['stopped'] },
  { title: 'Sent with a warning', states: ['sent'] },
]

function Runs({ runs, mails }: { runs: OutboxRun[]; mails: OutboxMail[] }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const stop = useStopRun()
  if (runs.length === 0) return null
  async function ask({ run, waiting }: OutboxRun): Promise<void> {
    const isSure = await confirmAction({
      title: `Stop ${counted(waiting, 'email')}?`,
      body: 'Emails not sent yet stay in the outbox. Sent ones can’t be taken back.',
      confirm: 'Stop',
    })
    if (isSure) stop.mutate(run)
  }
  return (
    <Panel title="One per person" text="They’re sent at the pace your mailbox allows.">
      {runs.map((run) => {
        const { sent, total, failed, stopped, waiting, next_at } = run
        const reason = mails.find(
          (mail) => mail.run === run.run && isOnItsWay[mail.state] && mail.problem,
        )?.problem
        const about = [
          `${shownNumber(sent)} of ${shownNumber(total)} sent`,
          ...(failed > 0 ? [`${shownNumber(failed)} failed`] : []),
          ...(stopped > 0 ? [`${shownNumber(stopped)} stopped`] : []),
          // What is due waits for its turn, which nobody can tell by the time that it was planned for.
          ...(waiting > 0 && next_at && Date.parse(next_at) > now
            ? [`next ${shownMoment(next_at, timeZone)}`]
            : []),
        ].join(' · ')
        return (
          <PanelRow
            key={run.run}
            title={<bdi>{run.subject || 'No subject'}</bdi>}
            text={
              <>
                <span role="status">{about}</span>
                {reason && <span className={classes.note}>{reason}</span>}
                <Progress.Root size="sm" mt={8} className={classes.progress ?? ''}>
                  <Progress.Section value={(100 * sent) / total} aria-label="Sent" />
                  <Progress.Section
                    value={(100 * failed) / total}
                    color="red"
                    aria-label="Failed"
                  />
                </Progress.Root>
              </>
            }
          >
            {waiting > 0 && (
              <Button
                variant="default"
                aria-label={`Stop ${run.subject || 'No subject'}`}
                loading={stop.isPending && stop.variables === run.run}
                onClick={() => ask(run)}
              >
                Stop
              </Button>
            )}
            <RunActions run={run} />
          </PanelRow>
        )
      })}
    </Panel>
  )
}

/** For all of a run at once what each of its lines offers; but what may have left is decided about one by one. */
function RunActions({ run }: { run: OutboxRun }) {
  const retry = useRetryRun()
  const forget = useForgetRun()
  const { failed, may_have_left, stopped, subject } = run
  const name = subject || 'No subject'
  async function remove(): Promise<void> {
    const count = failed + stopped
    const isSure = await confirmAction({
      title: `Delete ${counted(count, 'email')}?`,
      body: `${count > 1 ? 'Their text is' : 'Its text is'} deleted for good. Sent emails stay on their timelines.`,
      confirm: 'Delete',
      isDangerous: true,
    })
    if (isSure) forget.mutate(run.run)
  }
  return (
    <>
      {failed - may_have_left > 0 && (
        <Button
          variant="default"
          aria-label={`Try all again: ${name}`}
          loading={retry.isPending && retry.variables.state === 'failed'}
          onClick={() => retry.mutate({ run: run.run, state: 'failed' })}
        >
          Try all again
        </Button>
      )}
      {stopped > 0 && (
        <Button
          variant="default"
          aria-label={`Send the rest: ${name}`}
          loading={retry.isPending && retry.variables.state === 'stopped'}
          onClick={() => retry.mutate({ run: run.run, state: 'stopped' })}
        >
          Send the rest
        </Button>
      )}
      {failed + stopped > 0 && (
        <Button
          variant="subtle"
          color="gray"
          aria-label={`Delete all: ${name}`}
          loading={forget.isPending}
          onClick={remove}
        >
          Delete all
        </Button>
      )}
    </>
  )
}

function MailRow({ mail }: { mail: OutboxMail }) {
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
