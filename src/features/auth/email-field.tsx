import { TextInput, type TextInputProps } from '@mantine/core'

/** The address of an account, as password managers know it. */
export function EmailField(props: TextInputProps) {
  return (
    <TextInput
      label="Email"
      name="email"
      type="email"
      required
      withAsterisk={false}
      autoComplete="username"
      autoFocus
      {...props}
    />
  )
}
