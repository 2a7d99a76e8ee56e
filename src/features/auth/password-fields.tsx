import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { minPasswordLength, passwordRule } from '#domain/auth.ts'

type PasswordFieldsProps = {
  /** Whether the passwords are visible; one switch for all of them. */
  isVisible: boolean
  onToggle: () => void
  label?: string
  isNew: boolean
  password: TextInputProps
  /** The second field, where the password is typed twice. */
  confirmPassword?: TextInputProps
}

export function PasswordFields(props: PasswordFieldsProps) {
  const { isVisible, onToggle, label = 'Password', isNew, password, confirmPassword } = props
  const type = isVisible ? 'text' : 'password'
  const shared = {
    type,
    required: true,
    withAsterisk: false,
    autoCapitalize: 'none',
    spellCheck: false,
    ...(isNew ? { minLength: minPasswordLength } : {}),
    autoComplete: isNew ? 'new-password' : 'current-password',
  }
  // Between two fields it would take the second password from whoever presses Tab and types on.
  const toggle = (isForPointerOnly: boolean) => (
    <ActionIcon
      // Within its field, whose height it has for a finger too.
      size="calc(var(--solo-control-height) - 4px)"
      aria-label={isVisible ? 'Hide password' : 'Show password'}
      onClick={onToggle}
      {...(isForPointerOnly ? { tabIndex: -1, 'aria-hidden': true } : {})}
    >
      {isVisible ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
    </ActionIcon>
  )
  return (
    <>
      <TextInput
        label={label}
        name="password"
        {...shared}
        // Below the field, where the error takes its place.
        description={isNew && !password.error && passwordRule}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        styles={{ description: { margin: '4px 0 0' } }}
        {...password}
        rightSection={toggle(confirmPassword !== undefined)}
      />
      {confirmPassword && (
        <TextInput
          label="Confirm Password"
          name="confirmPassword"
          {...shared}
          {...confirmPassword}
          rightSection={toggle(false)}
        />
      )}
    </>
  )
}
