import { Menu } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type Unfolded, UnfoldedMenu } from '#ui/unfolded.tsx'
import { type ExportChoice, ExportChoices } from './export-choices.tsx'

/** The items of 'Import / Export'. */
export function FileChoices({ choices, ...menu }: Unfolded & { choices: ExportChoice[] }) {
  return (
    <UnfoldedMenu position="bottom-end" {...menu}>
      <Menu.Item
        component={Link}
        to="/app/settings/import"
        leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
      >
        Import from CSV
      </Menu.Item>
      <Menu.Divider />
      <ExportChoices choices={choices} />
    </UnfoldedMenu>
  )
}
