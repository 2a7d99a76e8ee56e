import { Alert, Button, Group } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconAlertTriangle, IconCloudOff, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import { errorMessage, isUnreachable, notHere, readProblem } from '#lib/errors.ts'
import { useIsOffline } from '#lib/network.ts'
import { EmptyState, ErrorState } from '#ui/states.tsx'

/** The list that a record is in. */
export type List = { label: 'Contacts' | 'Companies' | 'Deals'; to: string }

type NotFoundProps = { what: 'Contact' | 'Company' | 'Deal'; list: List }

/** For an id that does not exist or belongs to another account. */
export function RecordNotFound({ what, list }: NotFoundProps) {
  useDocumentTitle(`${what} not found · Solo CRM`)
  return (
    <EmptyState
      isPage
      title={`${what} not found`}
      hint="It may have been deleted, or the link is wrong."
      action={
        <Button component={Link} to={list.to}>
          {`Back to ${list.label.toLowerCase()}`}
        </Button>
      }
    />
  )
}

/** For a record that was deleted while its page is open. */
export function RecordGone({ what, list }: NotFoundProps) {
  return (
    <Alert
      variant="default"
      mb="md"
      title={`This ${what.toLowerCase()} has been deleted`}
      icon={<IconTrash size={16} stroke={1.5} aria-hidden />}
    >
      It was deleted in another window. This is its last version, and it can’t be edited.{' '}
      <Link to={list.to}>{`Back to ${list.label.toLowerCase()}`}</Link>
    </Alert>
  )
}

type FailedProps = { what: 'contact' | 'company' | 'deal'; error: unknown; onRetry: () => void }

export function RecordFailed({ what, error, onRetry }: FailedProps) {
  return (
    <ErrorState
      title={`The ${what} could not be loaded`}
      message={readProblem(error)}
      onRetry={onRetry}
    />
  )
}

/** For a record of which only the list's fields could be loaded; typed text stays. */
export function RecordIncomplete({ what, error, onRetry }: FailedProps) {
  const isOffline = useIsOffline()
  if (isOffline && (isUnreachable(error) || errorMessage(error) === notHere)) {
    return (
      <Alert
        variant="default"
        role="status"
        mb="md"
        icon={<IconCloudOff size={16} stroke={1.5} aria-hidden />}
      >
        {`The rest of this ${what} isn’t saved on this device.`}
      </Alert>
    )
  }
  return (
    <Alert
      variant="default"
      role="alert"
      mb="md"
      title={`Part of this ${what} could not be loaded`}
      icon={<IconAlertTriangle size={16} stroke={1.5} aria-hidden />}
    >
      <Group gap="sm">
        {errorMessage(error)}
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}
