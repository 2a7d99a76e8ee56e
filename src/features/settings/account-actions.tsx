import { Button } from '@mantine/core'
import { useAuth, useSignOut } from '#features/auth/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { DangerZone } from './danger-zone.tsx'
import { Sessions } from './sessions.tsx'

/** Sessions, sign-out and deletion of the account. */
export function AccountActions() {
  const { user } = useAuth()
  const { signOut, isPending } = useSignOut()
  if (!user?.email) return null
  return (
    <Panel title="Account Actions">
      <PanelRow title="Sign out" text={`You are signed in as ${user.email}.`}>
        <Button variant="default" disabled={isPending} onClick={signOut}>
          Sign Out
        </Button>
      </PanelRow>
      <Sessions />
      <DangerZone email={user.email} />
    </Panel>
  )
}
