import { Alert, Button, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { errorMessage } from '#lib/errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import classes from './calendar.module.css'
import { CalendarAddress, focusWhenShown } from './calendar-address.tsx'
import { useCalendarToken, useCreateCalendar, useRevokeCalendar } from './queries.ts'

type Question = Parameters<typeof confirmAction>[0]

const replaceQuestion: Question = {
  title: 'Make a new address?',
  body: 'The old address stops working at once. Every calendar that reads it must be given the new one.',
  confirm: 'Make a new address',
}

const revokeQuestion: Question = {
  title: 'Revoke the address?',
  body: 'Calendars that read it get nothing any more. Some go on showing what they read last, until you remove the calendar there.',
  confirm: 'Revoke',
  isDangerous: true,
}

/** The secret address from which a calendar program reads the user's tasks. */
export function CalendarDialog({ onClose }: { onClose: () => void }) {
  const { data: token, error, isFetching, refetch } = useCalendarToken()
  const create = useCreateCalendar()
  const revoke = useRevokeCalendar()
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = create.isPending || revoke.isPending

  async function ask(question: Question, goAhead: () => void): Promise<void> {
    if (isBusy) return
    setIsAsking(true)
    const isSure = await confirmAction(question)
    setIsAsking(false)
    if (isSure) goAhead()
  }
  const about = (
    <Text c="dimmed">
      See your open tasks and the expected closes of your deals in Google Calendar, Outlook, Apple
      Calendar or any other that can subscribe to an address. How soon a change shows there is up to
      the calendar: minutes in some, hours in others.
    </Text>
  )
  return (
    <Modal
      opened
      onClose={onClose}
      // Not while the question is open over it.
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      title="Calendar"
      size={520}
      yOffset="12dvh"
      classNames={{ body: classes.body ?? '' }}
    >
      {token ? (
        <CalendarAddress
          about={about}
          token={token}
          isReplacing={create.isPending}
          isRevoking={revoke.isPending}
          onReplace={() => ask(replaceQuestion, () => create.mutate(token))}
          onRevoke={() => ask(revokeQuestion, () => revoke.mutate())}
        />
      ) : (
        <div className={classes.content}>
          {about}
          {error && !isFetching ? (
            <LoadFailure message={errorMessage(error)} onRetry={refetch} />
          ) : token === null ? (
            <Button
              ref={focusWhenShown}
              style={{ alignSelf: 'flex-start' }}
              aria-disabled={isBusy}
              onClick={() => !isBusy && create.mutate(null)}
            >
              {create.isPending ? 'Creating...' : 'Create calendar address'}
            </Button>
          ) : (
            <Skeleton height={32} role="status" aria-label="Loading your calendar address..." />
          )}
        </div>
      )}
    </Modal>
  )
}

function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Alert
      color="red"
      variant="light"
      bg="color-mix(in srgb, var(--solo-danger) 8%, var(--solo-surface))"
      title="Your calendar address could not be loaded"
      icon={<IconAlertTriangle size={16} stroke={1.5} aria-hidden />}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="var(--mantine-color-text)">
          {message}
        </Text>
        <Button ref={focusWhenShown} variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
