import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { mailAddressSchema } from '#domain/auth.ts'
import { sendConfirmationAgain } from './queries.ts'
import type { useAuthForm } from './use-auth-form.ts'

type SendConfirmationProps = { fields: ReturnType<typeof useAuthForm> }

/** For whoever lost the mail: sends it again to the address in the form. */
export function SendConfirmation({ fields }: SendConfirmationProps) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo) {
    return (
      <Text size="sm" role="status">
        If {sentTo} has to be confirmed, a new mail is on its way.
      </Text>
    )
  }
  return (
    <Text size="sm">
      No mail? Enter your address below and{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        disabled={fields.isPending}
        onClick={() =>
          fields.submit(mailAddressSchema, async ({ email }) => {
            await sendConfirmationAgain(email)
            setSentTo(email)
          })
        }
      >
        send the confirmation again
      </Anchor>
      .
    </Text>
  )
}
