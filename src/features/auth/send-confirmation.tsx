import { Anchor, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { mailAddressSchema } from '#domain/auth.ts'
import { sendConfirmationAgain } from './queries.ts'
import type { useAuthForm } from './use-auth-form.ts'

type SendConfirmationProps = { fields: ReturnType<typeof useAuthForm> }
type Answer = { email: string; secondsToWait: number | null }

/** For whoever lost the mail: sends it again to the address in the form. */
export function SendConfirmation({ fields }: SendConfirmationProps) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const wait = answer?.secondsToWait
  useEffect(() => {
    if (!answer?.secondsToWait) return
    const over = setTimeout(() => setAnswer(null), answer.secondsToWait * 1000)
    return () => clearTimeout(over)
  }, [answer])

  function send(): void {
    fields.submit(mailAddressSchema, async ({ email }) => {
      setAnswer({ email, secondsToWait: await sendConfirmationAgain(email) })
    })
  }

  if (answer && !wait) {
    return (
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        If {answer.email} has to be confirmed, a new mail is on its way.
      </Text>
    )
  }
  return (
    <>
      {answer && (
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          A mail for {answer.email} was asked for less than a minute ago. You can ask for another
          one in {wait === 1 ? '1 second' : `${wait} seconds`}.
        </Text>
      )}
      <Text size="sm">
        No mail? Enter your address below and{' '}
        <Anchor component="button" type="button" inherit disabled={fields.isPending} onClick={send}>
          send the confirmation again
        </Anchor>
        .
      </Text>
    </>
  )
}
