import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { ExportContactsRow } from '#features/contacts/index.ts'
import { SpaceRow } from '#features/files/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'

type DataTool = { name: string; text: string; to: string; action: string }

/** Tools with screens of their own. */
const tools: DataTool[] = [
  {
    name: 'Fields',
    text: 'Add custom fields to contacts, companies and deals.',
    to: '/app/settings/fields',
    action: 'Edit fields',
  },
  {
    name: 'Import',
    text: 'Add contacts, companies or deals from a CSV, Excel or vCard file.',
    to: '/app/settings/import',
    action: 'Import data',
  },
  {
    name: 'Duplicates',
    text: 'Find and merge duplicate contacts and companies.',
    to: '/app/settings/duplicates',
    action: 'Find duplicates',
  },
  {
    name: 'Backup',
    text: 'Download everything as one file, or restore it.',
    to: '/app/settings/backup',
    action: 'Back up or restore',
  },
  {
    name: 'Trash',
    text: 'Restore what you deleted in the last 30 days.',
    to: '/app/settings/trash',
    action: 'Open trash',
  },
  {
    name: 'History',
    text: 'See every change you made and undo any of them.',
    to: '/app/settings/history',
    action: 'Show history',
  },
]

/** Fields, import, export, duplicates, history, trash and backup. */
export function DataManagement() {
  return (
    <Panel title="Data Management" text="Your data is yours. Import or export it any time.">
      <ExportContactsRow />
      {tools.map(({ name, text, to, action }) => (
        <PanelRow key={to} title={name} text={text}>
          <Button component={Link} to={to} variant="default">
            {action}
          </Button>
        </PanelRow>
      ))}
      <SpaceRow />
    </Panel>
  )
}
