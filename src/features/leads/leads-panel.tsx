import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { areLeadsOffered, whyNotOffered } from './is-offered.ts'

const CardsDialog = openedPart(async () => (await import('./cards/cards-dialog.tsx')).CardsDialog)

/** The way from the settings to forms and to the address book. */
export function LeadsPanel() {
  const [isOffered] = useState(areLeadsOffered)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Panel
      title="Leads and address book"
      text="Collect new contacts from your website, and have yours in your address book."
    >
      <PanelRow
        title="Forms"
        text={
          isOffered
            ? 'A link to share, or a form on your site. Each submission becomes a contact.'
            : whyNotOffered
        }
      >
        {isOffered && (
          <Button component={Link} to="/app/settings/forms" variant="default">
            Manage forms
          </Button>
        )}
      </PanelRow>
      <PanelRow
        title="Address book"
        text={
          isOffered
            ? 'A private address from which other programs read your contacts.'
            : whyNotOffered
        }
      >
        {isOffered && (
          <Button variant="default" {...opens(CardsDialog, () => setIsOpen(true))}>
            Show address
          </Button>
        )}
      </PanelRow>
      {isOpen && <CardsDialog onClose={() => setIsOpen(false)} />}
    </Panel>
  )
}
