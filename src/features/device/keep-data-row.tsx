import { Switch } from '@mantine/core'
import { useAuth } from '#features/auth/index.ts'
import { allLeftBehind, draftInWords } from '#features/compose/index.ts'
import { setKeepsData, useKeepsData } from '#lib/device-store.ts'
import { wipeRead } from '#lib/keep-seen.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { PanelRow } from '#ui/panel.tsx'

/** Whether the device keeps data of the account. Turned off, it is gone at once. */
export function KeepDataRow() {
  const { user } = useAuth()
  const keeps = useKeepsData()
  async function choose(next: boolean): Promise<void> {
    if (!next && !(await mayDeleteDrafts())) return
    setKeepsData(next)
    if (!next && user) await wipeRead(user.id)
  }
  return (
    <PanelRow
      title="Keep data on this device"
      text="Offline you have every contact, open deals, the tasks of the next 14 days and what you opened in the last 30. Signing out deletes it from this device."
    >
      <Switch
        aria-label="Keep data on this device"
        checked={keeps}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    </PanelRow>
  )
}

/** A mail that was left behind is nowhere else; one that is being written stays in its window. */
async function mayDeleteDrafts(): Promise<boolean> {
  const [first, ...others] = await allLeftBehind()
  if (!first) return true
  const body =
    others.length === 0
      ? `You didn’t finish an email${draftInWords(first.draft)}. It’s only on this device.`
      : `You didn’t finish ${others.length + 1} emails. They’re only on this device.`
  return confirmAction({
    title: others.length === 0 ? 'Delete an unfinished email?' : 'Delete unfinished emails?',
    body,
    confirm: 'Delete',
    isDangerous: true,
  })
}
