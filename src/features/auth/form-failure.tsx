import { Alert, Text } from '@mantine/core'

/** What went wrong with a form, and why, where that can be told. */
export type Failure = { message: string; reason?: string }

/** What the whole form, rather than one field, has to say. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (!failure) return null
  return (
    <Alert color="red" role="alert">
      {failure.message}
      {failure.reason && (
        <Text size="sm" mt={4}>
          {failure.reason}
        </Text>
      )}
    </Alert>
  )
}
