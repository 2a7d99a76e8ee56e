import { Alert, Anchor, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { isUnconfirmed, signInMessage, signInSchema } from '#domain/auth.ts'
import { EmailField } from './email-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { PasswordFields } from './password-fields.tsx'
import { signIn } from './queries.ts'
import { SendConfirmation } from './send-confirmation.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type SignInFormProps = {
  fields: ReturnType<typeof useAuthForm>
  password: { isVisible: boolean; onToggle: () => void }
  /** Good news from the sign-up. */
  notice: string | null
  linkProblem: string | null
  /** The service did not let the user in: good news from before is out of place now. */
  onRefused: () => void
  onForgot: () => void
}

export function SignInForm(props: SignInFormProps) {
  const { fields, password, notice, linkProblem, onRefused, onForgot } = props
  const { form, isPending, failure, submit } = fields
  const [isMailMissing, setIsMailMissing] = useState(false)
  const canSendAgain = isMailMissing || notice !== null || linkProblem !== null
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsMailMissing(false)
        submit(signInSchema, signIn, (message) => {
          setIsMailMissing(isUnconfirmed(message))
          onRefused()
          return signInMessage(message)
        })
      }}
    >
      <Stack gap="md">
        {notice && !failure && (
          <Alert color="green" role="status">
            {notice}
          </Alert>
        )}
        {linkProblem && !notice && !failure && <FormFailure message={linkProblem} />}
        <FormFailure message={failure} />
        {canSendAgain && <SendConfirmation fields={fields} />}
        <EmailField {...form.getInputProps('email')} />
        <PasswordFields {...password} isNew={false} password={form.getInputProps('password')} />
        <Button type="submit" loading={isPending} fullWidth>
          {isPending ? 'Saving...' : 'Sign In'}
        </Button>
        <Group justify="center">
          <Anchor component="button" type="button" size="sm" onClick={onForgot}>
            Forgot your password?
          </Anchor>
        </Group>
      </Stack>
    </form>
  )
}
