import { Button, Progress } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { shownMoment } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import type { OutboxMail, OutboxRun } from '#domain/outgoing-mail.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { Panel, PanelRow } from '#ui/panel.tsx'
import classes from './outbox.module.css'
import { useForgetRun, useRetryRun, useStopRun } from './queries.ts'

export const isOnItsWay: Record<OutboxMail['state'], boolean> = {
  ...{ planned: true, sending: true },
  ...{ sent: false, failed: false, stopped: false },
}

/** One line for the mails that were written at once, one for each person. */
export function Runs({ runs, mails }: { runs: OutboxRun[]; mails: OutboxMail[] }) {
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
          // A time in the past tells nothing: a mail that is due waits for its turn.
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

/** The actions of a mail, for the whole run at once. Mails that may have left are retried one by one, in their own rows. */
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
