import { Switch } from '@mantine/core'
import { useAuth } from '#features/auth/index.ts'
import { setKeepsData, useKeepsData } from '#lib/device-store.ts'
import { wipeRead } from '#lib/keep-seen.ts'
import { PanelRow } from '#ui/panel.tsx'

/** Whether the device keeps data of the account. Turned off, it is gone at once. */
export function KeepDataRow() {
  const { user } = useAuth()
  const keeps = useKeepsData()
  async function choose(next: boolean): Promise<void> {
    setKeepsData(next)
    if (!next && user) await wipeRead(user.id)
  }
  return (
    <PanelRow
      title="Keep data on this device"
      text="Without a network you find every contact, open deals, the tasks of the next 14 days and what you opened in the last 30. Signing out deletes it from this device."
    >
      <Switch
        aria-label="Keep data on this device"
        checked={keeps}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    </PanelRow>
  )
}
