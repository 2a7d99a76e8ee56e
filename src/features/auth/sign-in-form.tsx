import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isUnconfirmed, type MailLink, signInMessage, signInSchema } from '#domain/auth.ts'
import { EmailField } from './email-field.tsx'
import { FormFailure } from './form-failure.tsx'
import type { LinkProblem } from './mail-link.ts'
import { PasswordFields } from './password-fields.tsx'
import { signIn } from './queries.ts'
import { SendAgain, SendConfirmation } from './send-confirmation.tsx'
import { SubmitButton } from './submit-button.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type SignInFormProps = {
  fields: ReturnType<typeof useAuthForm>
  password: { isVisible: boolean; onToggle: () => void }
  /** The address that has just signed up. */
  signedUp: string | null
  linkProblem: LinkProblem | null
  /** Called after a failed sign-in: an earlier success message must go. */
  onRefused: () => void
  onForgot: () => void
}

/** How to get a new link for a void one; for other types the confirmation is offered again. */
const waysOn: Partial<Record<MailLink['type'], string>> = {
  recovery: 'For a new link, choose “Forgot your password?” below.',
  email_change: 'For a new link, sign in and change your email again in Settings.',
  magiclink: 'Sign in with your password instead.',
}

export function SignInForm(props: SignInFormProps) {
  const { fields, password, signedUp, linkProblem, onRefused, onForgot } = props
  const { form, isPending, failure, submit } = fields
  const [isMailMissing, setIsMailMissing] = useState(false)
  const wayOn = linkProblem?.type && waysOn[linkProblem.type]
  const canSendAgain = isMailMissing || (linkProblem !== null && !wayOn)
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
        {signedUp && (
          <>
            <Alert color="green" role="status">
              Account created successfully! Please check your email for a confirmation link.
            </Alert>
            <SendAgain email={signedUp} fields={fields} />
          </>
        )}
        {linkProblem && !signedUp && !failure && <FormFailure failure={linkProblem} />}
        <FormFailure failure={failure} />
        {wayOn && !signedUp && <Text size="sm">{wayOn}</Text>}
        {canSendAgain && !signedUp && <SendConfirmation fields={fields} />}
        <EmailField {...form.getInputProps('email')} />
        <PasswordFields {...password} isNew={false} password={form.getInputProps('password')} />
        <SubmitButton label="Sign In" pendingLabel="Signing in..." isPending={isPending} />
        <Group justify="center" my={-4}>
          <Button variant="subtle" onClick={onForgot}>
            Forgot your password?
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
