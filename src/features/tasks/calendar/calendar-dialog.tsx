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
  title: 'Create new address?',
  body: 'The old address stops working immediately. Update it in every calendar that uses it.',
  confirm: 'Create new address',
}

const revokeQuestion: Question = {
  title: 'Revoke the address?',
  body: 'Calendars that use it stop updating. Some keep old events until you remove the calendar there.',
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
      See your open tasks and expected closes in Google Calendar, Outlook, Apple Calendar or any
      other calendar app. Changes show up when it refreshes, after minutes or hours.
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
