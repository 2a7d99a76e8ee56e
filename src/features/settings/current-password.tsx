import { TextInput, type TextInputProps } from '@mantine/core'

type CurrentPasswordProps = TextInputProps & { isVisible?: boolean }

/** The field for the current password, as proof. */
export function CurrentPassword({ isVisible = false, ...field }: CurrentPasswordProps) {
  return (
    <TextInput
      label="Current Password"
      name="currentPassword"
      type={isVisible ? 'text' : 'password'}
      required
      withAsterisk={false}
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="current-password"
      {...field}
    />
  )
}

/** Marks the password as wrong; throw the result to keep the form open. */
export function wrongPassword(form: {
  setFieldError: (field: 'currentPassword', message: string) => void
}): Error {
  const message = 'This isn’t your password. Nothing was changed.'
  form.setFieldError('currentPassword', message)
  return new Error(message)
}
