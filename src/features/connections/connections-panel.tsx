import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { Panel, PanelRow } from '#ui/panel.tsx'

/** The way from the settings to the connections. */
export function ConnectionsPanel() {
  return (
    <Panel title="Connections" text="Let assistants and programs work in your account.">
      <PanelRow
        title="Access tokens and webhooks"
        text="Connect Claude or another assistant, or a script. Revoke any of them at once."
      >
        <Button component={Link} to="/app/settings/connections" variant="default">
          Manage connections
        </Button>
      </PanelRow>
      <PanelRow title="API" text="Every function, with examples.">
        <Button component={Link} to="/app/settings/connections/interface" variant="default">
          Show API reference
        </Button>
      </PanelRow>
    </Panel>
  )
}
