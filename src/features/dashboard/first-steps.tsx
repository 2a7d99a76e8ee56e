import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { openForm } from '#features/forms/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { useSampleData } from './queries.ts'

/** What to do first in an account without anything. */
export function FirstSteps() {
  const { load } = useSampleData()
  return (
    <Panel title="Get started" text="Set up your pipeline in three steps.">
      <PanelRow
        title="Import your contacts"
        text="From Google, Outlook, HubSpot, Pipedrive, LinkedIn or any CSV file."
      >
        <Button component={Link} to="/app/settings/import">
          Import contacts
        </Button>
      </PanelRow>
      <PanelRow title="Add a company" text="Keep its contacts and deals together.">
        <Button variant="default" onClick={() => openForm({ form: 'company' })}>
          Add a company
        </Button>
      </PanelRow>
      <PanelRow title="Create a deal" text="Track its value, stage and close date.">
        <Button variant="default" onClick={() => openForm({ form: 'deal' })}>
          Create a deal
        </Button>
      </PanelRow>
      <PanelRow
        title="Or explore first"
        text="Six months of sample sales data. Remove it with one click."
      >
        <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
          Load sample data
        </Button>
      </PanelRow>
    </Panel>
  )
}
