import { Button } from '@mantine/core'
import { useEffect } from 'react'
import type { OutboxMail } from '#domain/outgoing-mail.ts'
import { openComposer } from '#features/forms/index.ts'
import { MailboxTrouble } from '#features/mail/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { Panel } from '#ui/panel.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { OutboxMailRow } from './outbox-mail.tsx'
import { isOnItsWay, Runs } from './outbox-runs.tsx'
import { useOutbox } from './queries.ts'

/** What waits to leave, is leaving, or could not. */
export function OutboxPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOutbox()
  const all = data?.pages.flatMap((page) => page.mails) ?? []
  const runs = data?.pages[0]?.runs ?? []
  // The line of a run stands for its mails that still wait.
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
                  <OutboxMailRow key={mail.id} mail={mail} />
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

/** While fewer rows show, the next page is read at once: a whole page may consist of one run, which is one line. */
const few = 20

type Group = { title: string; text?: string; states: OutboxMail['state'][] }

const groups: Group[] = [
  { title: 'Not sent', states: ['failed'] },
  { title: 'Waiting', states: ['planned', 'sending'] },
  { title: 'Stopped', text: 'Not sent until you resume them.', states: ['stopped'] },
  { title: 'Sent with a warning', states: ['sent'] },
]
