import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { signInMessage, signInSchema } from '#domain/auth.ts'
import { useCoverTypedText } from '#ui/use-leave-question.ts'
import { EmailField } from './email-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { PasswordFields } from './password-fields.tsx'
import { signIn } from './queries.ts'
import { SubmitButton } from './submit-button.tsx'
import { useAuthForm } from './use-auth-form.ts'

/** The password field, because the address is known. */
const focusedFirst = { 'data-autofocus': true }

/**
 * A dialog over a screen with typed text whose session has ended. It hides everything below, because another person may
 * sit here, and only the same account gets back to it.
 */
export function SignInAgain({ email }: { email: string }) {
  const { form, isPending, failure, submit } = useAuthForm(email)
  const [isVisible, setIsVisible] = useState(false)
  const { pathname, search, hash } = useLocation()
  useCoverTypedText()
  const next = new URLSearchParams({ next: pathname + search + hash })
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Sign in again"
      size={400}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      // Looks like the page /auth.
      overlayProps={{ color: 'var(--solo-page)', backgroundOpacity: 1 }}
      styles={{ content: { border: '1px solid var(--solo-hairline)', boxShadow: 'none' } }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // React bubbles the event to the parents of this dialog.
          event.stopPropagation()
          submit(signInSchema, signIn, signInMessage)
        }}
      >
        <Stack gap="md">
          <Text>Your session has ended. Your changes are still here.</Text>
          <FormFailure failure={failure} />
          <EmailField {...form.getInputProps('email')} readOnly />
          <PasswordFields
            isVisible={isVisible}
            onToggle={() => setIsVisible((before) => !before)}
            isNew={false}
            password={{ ...form.getInputProps('password'), ...focusedFirst }}
          />
          <SubmitButton label="Sign In" pendingLabel="Signing in..." isPending={isPending} />
          <Anchor size="sm" ta="center" href={`/auth?${next}`}>
            Go to the sign-in page
          </Anchor>
        </Stack>
      </form>
    </Modal>
  )
}
