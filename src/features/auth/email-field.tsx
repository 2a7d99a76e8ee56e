import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

/** The e-mail field of an account, for password managers. It gets the focus as the first field. */
export function EmailField(props: TextInputProps) {
  const input = useRef<HTMLInputElement>(null)
  // In a frame after mounting: a field in a hidden panel takes no focus.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      // Leave the focus in a field where the user types already.
      if (!(document.activeElement instanceof HTMLInputElement)) input.current?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <TextInput
      ref={input}
      label="Email"
      name="email"
      type="email"
      required
      withAsterisk={false}
      autoComplete="username"
      {...props}
    />
  )
}
