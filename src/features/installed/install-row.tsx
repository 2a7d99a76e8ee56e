import { Button } from '@mantine/core'
import { PanelRow } from '#ui/panel.tsx'
import { install, installsByMenu, useIsInstallable } from './install-prompt.ts'

/** Offers to install the app, where the browser can and it is not installed yet. */
export function InstallRow() {
  const isInstallable = useIsInstallable()
  const isByMenu = installsByMenu()
  if (!isInstallable && !isByMenu) return null
  return (
    <PanelRow
      title="Install Solo CRM"
      text={
        isByMenu
          ? 'In Safari, tap Share, then “Add to Home Screen”.'
          : 'Its own window and icon, one tap away.'
      }
    >
      {isInstallable && (
        <Button variant="default" onClick={install}>
          Install
        </Button>
      )}
    </PanelRow>
  )
}
