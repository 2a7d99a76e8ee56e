import { Button, Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { unreachable } from '#lib/errors.ts'
import { MessageCard } from '#ui/message-card.tsx'

type CrashPageProps = { error: unknown }

export function CrashPage({ error }: CrashPageProps) {
  useDocumentTitle('Something went wrong · Solo CRM')
  return (
    <MessageCard
      title="Something went wrong"
      action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
    >
      Your saved work is safe. Reload the page to continue.
      {error instanceof Error && (
        <Text size="xs" mt="sm">
          {error.message}
        </Text>
      )}
    </MessageCard>
  )
}

/** Shown when the code of a screen cannot be loaded because the server is unreachable. */
export function UnreachablePage({ onTryAgain }: { onTryAgain: () => void }) {
  useDocumentTitle('No connection · Solo CRM')
  return (
    <MessageCard title="No connection" action={<Button onClick={onTryAgain}>Try again</Button>}>
      {unreachable}
    </MessageCard>
  )
}
