import { TextInput } from '@mantine/core'
import { nameInAddress } from '#domain/account.ts'
import { displayNameSchema } from '#domain/account-form.ts'
import { usePreferences, useSavePreferences } from '#features/preferences/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

type DisplayNameDialogProps = { email: string; onClose: () => void }

/** Asks for the display name. */
export function DisplayNameDialog({ email, onClose }: DisplayNameDialogProps) {
  const save = useSavePreferences('Settings saved')
  const { data } = usePreferences()
  const { form, dialog } = useRecordForm({
    schema: displayNameSchema,
    initialValues: { display_name: data?.display_name ?? '' },
    async save({ display_name }) {
      await save({ display_name: display_name || null })
      onClose()
    },
  })
  return (
    <FormDialog title="Change name" submitLabel="Save name" {...dialog} onClose={onClose}>
      <TextInput
        label="Display name"
        name="display_name"
        description={`Leave empty to use ${nameInAddress(email)}.`}
        data-autofocus
        dir="auto"
        autoComplete="nickname"
        {...form.getInputProps('display_name')}
      />
    </FormDialog>
  )
}
