import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { ExportContactsRow } from '#features/contacts/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'

type DataTool = { name: string; text: string; to: string; action: string }

/** Tools with screens of their own. */
const tools: DataTool[] = [
  {
    name: 'Fields',
    text: 'What contacts, companies and deals hold besides the usual: fields of your own.',
    to: '/app/settings/fields',
    action: 'Edit fields',
  },
  {
    name: 'Import',
    text: 'Contacts, companies and deals from a CSV, Excel or vCard file, checked before anything is saved.',
    to: '/app/settings/import',
    action: 'Import data',
  },
  {
    name: 'Duplicates',
    text: 'Find contacts and companies that are there twice, and make one of them.',
    to: '/app/settings/duplicates',
    action: 'Find duplicates',
  },
  {
    name: 'Backup',
    text: 'Everything you have here as one file, and the way back in.',
    to: '/app/settings/backup',
    action: 'Back up or restore',
  },
  {
    name: 'Trash',
    text: 'What you deleted in the last 30 days, to be brought back or removed for good.',
    to: '/app/settings/trash',
    action: 'Open trash',
  },
  {
    name: 'History',
    text: 'Everything you did, step by step, each with its way back.',
    to: '/app/settings/history',
    action: 'Show history',
  },
]

/** Fields, import, export, duplicates, history, trash and backup. */
export function DataManagement() {
  return (
    <Panel title="Data Management" text="Your data is yours: bring it in, take it out, any time.">
      <ExportContactsRow />
      {tools.map(({ name, text, to, action }) => (
        <PanelRow key={to} title={name} text={text}>
          <Button component={Link} to={to} variant="default">
            {action}
          </Button>
        </PanelRow>
      ))}
    </Panel>
  )
}
