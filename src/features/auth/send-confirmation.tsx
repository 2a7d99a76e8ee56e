import { Anchor, Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { mailAddressSchema } from '#domain/auth.ts'
import { sendConfirmationAgain } from './queries.ts'
import { inWords, type useAuthForm } from './use-auth-form.ts'

type Fields = ReturnType<typeof useAuthForm>
type Answer = { email: string; secondsToWait: number | null }

/** A button to send the mail again, right after sign-up. */
export function SendAgain({ email, fields }: { email: string; fields: Fields }) {
  const { answer, isSending, send } = useSending(fields)
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm">The email may take a few minutes to arrive.</Text>
        <Button
          variant="default"
          size="xs"
          aria-disabled={isSending}
          data-saving={isSending || undefined}
          onClick={() => send(email)}
        >
          {isSending ? 'Sending...' : 'Send again'}
        </Button>
      </Group>
      <SendingAnswer answer={answer} />
    </>
  )
}

/** Sends the confirmation again to the address in the form. */
export function SendConfirmation({ fields }: { fields: Fields }) {
  const { answer, isSending, send } = useSending(fields)
  function sendToTyped(): void {
    const typed = fields.check(mailAddressSchema)
    if (typed) send(typed.email)
  }
  return (
    <>
      <SendingAnswer answer={answer} />
      {!(answer && answer.secondsToWait === null) && (
        <Text size="sm">
          No email? Enter your address below and{' '}
          <Anchor
            component="button"
            type="button"
            inherit
            aria-disabled={isSending}
            onClick={sendToTyped}
          >
            resend the confirmation
          </Anchor>
          .
        </Text>
      )}
    </>
  )
}

function SendingAnswer({ answer }: { answer: Answer | null }) {
  if (!answer) return null
  const { email, secondsToWait: wait } = answer
  return (
    <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
      {wait === null
        ? `If ${email} still needs to be confirmed, a new email is on its way.`
        : `An email to ${email} was requested less than a minute ago. You can request another in ${wait === 1 ? '1 second' : `${wait} seconds`}.`}
    </Text>
  )
}

/** The answer says the same whether or not the address has an account. */
function useSending({ setFailure }: Fields) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [isSending, setIsSending] = useState(false)
  useEffect(() => {
    if (!answer?.secondsToWait) return
    const over = setTimeout(() => setAnswer(null), answer.secondsToWait * 1000)
    return () => clearTimeout(over)
  }, [answer])

  async function send(email: string): Promise<void> {
    if (isSending) return
    setFailure(null)
    setIsSending(true)
    try {
      setAnswer({ email, secondsToWait: await sendConfirmationAgain(email) })
    } catch (error) {
      setAnswer(null)
      setFailure(inWords(error))
    } finally {
      setIsSending(false)
    }
  }

  return { answer, isSending, send }
}
