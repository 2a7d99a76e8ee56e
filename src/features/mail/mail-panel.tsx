import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { hasOwnServer } from '#lib/server-call.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'

/** The way from the settings to the accounts for mail. */
export function MailPanel() {
  const [isOffered] = useState(hasOwnServer)
  return (
    <Panel title="Email">
      <PanelRow
        title="Your mailboxes"
        text={
          isOffered
            ? 'Emails to and from your contacts are on their timelines.'
            : 'Not available with a Supabase project. Needs Solo CRM’s own server.'
        }
      >
        {isOffered && (
          <Button component={Link} to="/app/settings/email" variant="default">
            Manage email
          </Button>
        )}
      </PanelRow>
    </Panel>
  )
}
