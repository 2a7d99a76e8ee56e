import { Anchor } from '@mantine/core'
import { useSession } from '#features/auth/index.ts'
import { MessageCard } from '#ui/message-card.tsx'

export function WorkspacePage() {
  const session = useSession()
  // A session that cannot be read means settings that cannot be read: the crash page says so.
  if (session.isError) throw session.error
  return (
    <MessageCard title="Solo CRM" action={<Anchor href="/">Go to Home Page</Anchor>}>
      {session.isPending ? 'Loading...' : describeSession(session.data?.user.email)}
    </MessageCard>
  )
}

function describeSession(email: string | undefined) {
  if (!email) return 'The workspace is not open yet, and nobody is signed in here.'
  return `The workspace is not open yet. You are signed in as ${email}.`
}
