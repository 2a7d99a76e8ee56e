import { Stack } from '@mantine/core'
import { signUpMessage, signUpSchema } from '#domain/auth.ts'
import { EmailField } from './email-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { PasswordFields } from './password-fields.tsx'
import { signUp } from './queries.ts'
import { SubmitButton } from './submit-button.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type SignUpFormProps = {
  fields: ReturnType<typeof useAuthForm>
  password: { isVisible: boolean; onToggle: () => void }
  /** The account is made, and waits for the link of the mail. */
  onMustConfirm: (email: string) => void
}

export function SignUpForm({ fields, password, onMustConfirm }: SignUpFormProps) {
  const { form, isPending, failure, submit } = fields
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(
          signUpSchema,
          async (values) => {
            if (await signUp(values)) return
            form.reset()
            onMustConfirm(values.email)
          },
          signUpMessage,
        )
      }}
    >
      <Stack gap="md">
        <FormFailure failure={failure} />
        <EmailField {...form.getInputProps('email')} />
        <PasswordFields
          {...password}
          isNew
          password={form.getInputProps('password')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <SubmitButton label="Sign Up" pendingLabel="Creating account..." isPending={isPending} />
      </Stack>
    </form>
  )
}
