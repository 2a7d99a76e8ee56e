import { Box, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type LoadingStateProps = { text: string; isFullPage?: boolean }

/** A spinner with text. Lists show loading, error, empty, data, in that order. */
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

/** An error with its reason and a button to try again. */
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
  /** Whether it is the only content of the screen. */
  isPage?: boolean
}

/** An empty list: a title, a hint and one button. */
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
