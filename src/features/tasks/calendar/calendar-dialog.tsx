import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { errorMessage } from '#lib/errors.ts'
import { PrivateAddressDialog } from '#ui/private-address-dialog.tsx'
import { useCalendarToken, useCreateCalendar, useRevokeCalendar } from './queries.ts'

/** The private address from which a calendar program reads the user's tasks. */
export function CalendarDialog({ onClose }: { onClose: () => void }) {
  const { data: token, error, isFetching, refetch } = useCalendarToken()
  const create = useCreateCalendar()
  const revoke = useRevokeCalendar()
  const address = token && `${window.location.origin}/calendar/${token}.ics`
  return (
    <PrivateAddressDialog
      title="Calendar"
      name="calendar address"
      about="See your open tasks and expected closes in Google Calendar, Outlook, Apple Calendar or any other calendar app. Changes show up when it refreshes, after minutes or hours."
      hint="In your calendar app, add a calendar from a URL and paste this address. Anyone with it can read your open tasks and deals, so keep it private."
      whenReplaced="Update it in every calendar that uses it."
      whenRevoked="Calendars that use it stop updating. Some keep old events until you remove the calendar there."
      address={address}
      problem={error && !isFetching ? errorMessage(error) : null}
      isCreating={create.isPending}
      isRevoking={revoke.isPending}
      action={
        address && (
          <Button
            component="a"
            // Calendar programs open webcal: addresses.
            href={address.replace(/^https?:/, 'webcal:')}
            leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
          >
            Open in calendar app
          </Button>
        )
      }
      onCreate={() => create.mutate(token ?? null)}
      onRevoke={() => revoke.mutate()}
      onRetry={refetch}
      onClose={onClose}
    />
  )
}
