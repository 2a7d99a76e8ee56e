import { TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { emailChangeSchema } from '#domain/account-form.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showToast } from '#ui/toast.tsx'
import { CurrentPassword, wrongPassword } from './current-password.tsx'
import { useChangeEmail } from './queries.ts'

type EmailDialogProps = { current: string; onClose: () => void }

/** Asks for a new address, which must be confirmed by a mail. */
export function EmailDialog({ current, onClose }: EmailDialogProps) {
  const change = useChangeEmail()
  const schema = useMemo(() => emailChangeSchema(current), [current])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { email: '', currentPassword: '' },
    async save({ email, currentPassword }) {
      const isProven = await change({ email: current, newEmail: email, currentPassword })
      if (!isProven) throw wrongPassword(form)
      showToast({
        title: 'Check your email',
        message: `Open the link we sent to ${email}. Until then your email stays ${current}.`,
      })
      onClose()
    },
  })
  return (
    <FormDialog title="Change email" submitLabel="Send the link" {...dialog} onClose={onClose}>
      <TextInput
        label="New Email"
        name="email"
        type="email"
        required
        withAsterisk={false}
        data-autofocus
        autoComplete="email"
        {...form.getInputProps('email')}
      />
      <CurrentPassword {...form.getInputProps('currentPassword')} />
    </FormDialog>
  )
}
