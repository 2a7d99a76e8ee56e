import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { mailAddressSchema } from '#domain/auth.ts'
import { EmailField } from './email-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { sendRecovery } from './queries.ts'
import { SubmitButton } from './submit-button.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type ForgotPasswordFormProps = { fields: ReturnType<typeof useAuthForm>; onBack: () => void }

export function ForgotPasswordForm({ fields, onBack }: ForgotPasswordFormProps) {
  const { form, isPending, failure, submit } = fields
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setSentTo(null)
        submit(mailAddressSchema, async ({ email }) => {
          await sendRecovery(email)
          setSentTo(email)
        })
      }}
    >
      <Stack gap="md">
        {sentTo && (
          <Alert color="green" role="status">
            If {sentTo} has an account, we’ve sent it a link. It may take a few minutes to arrive
            and works for one hour.
          </Alert>
        )}
        <FormFailure failure={failure} />
        <EmailField {...form.getInputProps('email')} />
        <SubmitButton label="Send the link" pendingLabel="Saving..." isPending={isPending} />
        <Group justify="center" my={-4}>
          <Button variant="subtle" onClick={onBack}>
            Back to login
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
