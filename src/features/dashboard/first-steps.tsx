import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { openForm } from '#features/forms/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { useSampleData } from './queries.ts'

/** What to do first in an account without anything. */
export function FirstSteps() {
  const { load } = useSampleData()
  return (
    <Panel title="Get started" text="Three steps, and your pipeline works for you.">
      <PanelRow
        title="Import your contacts"
        text="From Google, Outlook, HubSpot, Pipedrive, LinkedIn or any CSV file."
      >
        <Button component={Link} to="/app/settings/import">
          Import contacts
        </Button>
      </PanelRow>
      <PanelRow title="Add a company" text="Whom you sell to: contacts and deals belong to it.">
        <Button variant="default" onClick={() => openForm({ form: 'company' })}>
          Add a company
        </Button>
      </PanelRow>
      <PanelRow title="Create a deal" text="What you want to sell, its value and when it closes.">
        <Button variant="default" onClick={() => openForm({ form: 'deal' })}>
          Create a deal
        </Button>
      </PanelRow>
      <PanelRow
        title="Or look around first"
        text="Half a year of a seller’s work, which one click takes away again."
      >
        <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
          Load sample data
        </Button>
      </PanelRow>
    </Panel>
  )
}
