import { Anchor } from '@mantine/core'
import { MessageCard } from '#ui/message-card.tsx'

export function SignInPage() {
  return (
    <MessageCard title="Solo CRM" action={<Anchor href="/">Go to Home Page</Anchor>}>
      Signing in is not open yet.
    </MessageCard>
  )
}
