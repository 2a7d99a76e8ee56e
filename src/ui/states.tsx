import { Box, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type LoadingStateProps = { text: string; isFullPage?: boolean }

/** A list or page on its way: loading comes first, then error, empty, data. */
export function LoadingState({ text, isFullPage = false }: LoadingStateProps) {
  return (
    <Center mih={isFullPage ? '100dvh' : 240} p="md">
      <Stack align="center" gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{text}</Text>
      </Stack>
    </Center>
  )
}

type ErrorStateProps = { title: string; message: string; onRetry: () => void }

/** What could not be shown, why, and the way to try again. */
export function ErrorState({ title, message, onRetry }: ErrorStateProps) {
  return (
    <Center mih={240} p="md">
      <Stack align="center" gap="sm" ta="center" role="alert">
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{message}</Text>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Center>
  )
}

type EmptyStateProps = {
  title: string
  hint?: string
  action?: ReactNode
  /** It is all that the screen has to say. */
  isPage?: boolean
}

/** One line that says what belongs here, one that says why it helps, one button. */
export function EmptyState({ title, hint, action, isPage = false }: EmptyStateProps) {
  return (
    <Center mih={240} p="md">
      <Stack align="center" gap="sm" ta="center">
        <Title order={isPage ? 1 : 2}>{title}</Title>
        {hint && <Text c="dimmed">{hint}</Text>}
        {action && <Box mt="sm">{action}</Box>}
      </Stack>
    </Center>
  )
}
