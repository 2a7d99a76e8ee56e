import { Alert, Button, Progress, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { namesInWords } from '#domain/mail-merge.ts'
import { readProblem } from '#lib/errors.ts'
import classes from './emails.module.css'
import type { Recipients } from './use-recipients.ts'

type WhoGetsItProps = { recipients: Recipients; count: number }

/** The number of recipients, and who is left out and why. */
export function WhoGetsIt({ recipients, count }: WhoGetsItProps) {
  const { contacts, isDone, error, people, retry } = recipients
  if (error) {
    return (
      <Alert color="red" role="alert" title="The contacts could not be loaded">
        <Text size="sm">{readProblem(error)}</Text>
        <Button variant="default" mt="sm" onClick={retry}>
          Try again
        </Button>
      </Alert>
    )
  }
  if (!isDone) {
    const share = count > 0 ? Math.min(100, (contacts.length / count) * 100) : 0
    return (
      <div>
        <Text size="sm" c="dimmed" role="status">
          Loading contacts... {shownNumber(contacts.length)} of {shownNumber(count)}
        </Text>
        <Progress value={share} size="xs" mt={4} aria-label="Contacts loaded" />
      </div>
    )
  }
  const { all, without, sharing } = people
  return (
    <div role="status" className={classes.who}>
      <Text size="sm">{toWords(all.length)}</Text>
      {without.length > 0 && (
        <Notice>
          {counted(without.length, 'contact')} {without.length === 1 ? 'has' : 'have'} no email
          address and won’t get it: <bdi>{namesInWords(without)}</bdi>
        </Notice>
      )}
      {sharing.length > 0 && (
        <Notice>
          {counted(sharing.length, 'contact')} {sharing.length === 1 ? 'shares' : 'share'} an
          address and won’t get it twice: <bdi>{namesInWords(sharing)}</bdi>
        </Notice>
      )}
    </div>
  )
}

function toWords(count: number): string {
  return count > 0
    ? `To ${counted(count, 'address', 'addresses')}`
    : 'None of these contacts has an email address.'
}

/** A quiet line that tells something. */
export function Notice({ children }: { children: React.ReactNode }) {
  return (
    <p className={classes.notice}>
      <IconInfoCircle size={16} stroke={1.5} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
