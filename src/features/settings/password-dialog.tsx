import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { passwordChangeSchema } from '#domain/account-form.ts'
import { PasswordFields } from '#features/auth/index.ts'
import { useRevokeAll } from '#features/connections/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showToast } from '#ui/toast.tsx'
import { CurrentPassword, wrongPassword } from './current-password.tsx'
import { useChangePassword } from './queries.ts'

type PasswordDialogProps = { email: string; onClose: () => void }

/** Asks for the old password and a new one. */
export function PasswordDialog({ email, onClose }: PasswordDialogProps) {
  const [isVisible, setIsVisible] = useState(false)
  const [isRevoking, setIsRevoking] = useState(false)
  const change = useChangePassword()
  const { mutateAsync: revokeAll } = useRevokeAll()
  const { form, dialog } = useRecordForm({
    schema: passwordChangeSchema,
    initialValues: { currentPassword: '', password: '', confirmPassword: '' },
    async save({ currentPassword, password }) {
      if (!(await change({ email, currentPassword, password }))) throw wrongPassword(form)
      // Somebody who knew the old password may have made an access token.
      if (isRevoking) await revokeAll().catch(() => {})
      showToast({ title: 'Password changed', message: 'Your other devices are signed out.' })
      onClose()
    },
  })
  return (
    <FormDialog title="Change password" submitLabel="Change password" {...dialog} onClose={onClose}>
      {/* For password managers: whose password it is. */}
      <TextInput
        name="username"
        autoComplete="username"
        value={email}
        readOnly
        style={{ display: 'none' }}
      />
      <CurrentPassword
        isVisible={isVisible}
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <PasswordFields
        isVisible={isVisible}
        onToggle={() => setIsVisible(!isVisible)}
        label="New Password"
        isNew
        password={form.getInputProps('password')}
        confirmPassword={form.getInputProps('confirmPassword')}
      />
      <Checkbox
        label="Revoke all access tokens"
        description="Connected assistants and programs stop working."
        checked={isRevoking}
        onChange={(event) => setIsRevoking(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
