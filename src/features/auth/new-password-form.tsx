import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { newPasswordSchema } from '#domain/auth.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { useAuth } from './auth-provider.tsx'
import { FormFailure } from './form-failure.tsx'
import { PasswordFields } from './password-fields.tsx'
import { revokeTokens, setPassword } from './queries.ts'
import { SubmitButton } from './submit-button.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type NewPasswordFormProps = {
  fields: ReturnType<typeof useAuthForm>
  password: { isVisible: boolean; onToggle: () => void }
  next: string | null
}

export function NewPasswordForm({ fields, password, next }: NewPasswordFormProps) {
  const { user } = useAuth()
  const { form, isPending, failure, submit } = fields
  const navigate = useNavigate()
  const [isRevoking, setIsRevoking] = useState(false)
  const target = next ?? '/app/dashboard'
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(newPasswordSchema, async (values) => {
          await setPassword(values.password)
          // Somebody who knew the old password may have made an access token.
          if (isRevoking && !(await revokeTokens())) {
            showError('The access tokens still work. Revoke them in Settings, Connections.')
          }
          showToast({ title: 'Password changed', message: 'You’re signed in.' })
          navigate(target, { replace: true })
        })
      }}
    >
      <Stack gap="md">
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          For {user?.email}.
        </Text>
        <FormFailure failure={failure} />
        {/* For password managers: whose password it is. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={user?.email ?? ''}
          readOnly
          hidden
        />
        <PasswordFields
          {...password}
          label="New Password"
          isNew
          password={form.getInputProps('password')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <div>
          <label>
            <input
              type="checkbox"
              checked={isRevoking}
              onChange={(event) => setIsRevoking(event.currentTarget.checked)}
            />{' '}
            Revoke all access tokens
          </label>
          <Text size="xs" c="dimmed">
            Connected assistants and programs stop working.
          </Text>
        </div>
        <SubmitButton label="Set new password" pendingLabel="Saving..." isPending={isPending} />
        <Group justify="center">
          <Anchor component={Link} to={target} replace size="sm">
            Keep old password
          </Anchor>
        </Group>
      </Stack>
    </form>
  )
}
