import { Alert } from '@mantine/core'

/** What the whole form, rather than one field, has to say. */
export function FormFailure({ message }: { message: string | null }) {
  if (!message) return null
  return (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  )
}
