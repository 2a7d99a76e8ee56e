import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

/** The address of an account, as password managers know it. First in its form, and so focused with it. */
export function EmailField(props: TextInputProps) {
  const input = useRef<HTMLInputElement>(null)
  // After the form has been shown: a field in a panel that still is hidden takes no focus.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      // Who has begun to type elsewhere stays there.
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
