import { Alert, Text } from '@mantine/core'

/** The error of a form, with the reason if it is known. */
export type Failure = { message: string; reason?: string }

/** The error message of the whole form. */
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
