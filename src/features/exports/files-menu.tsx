import { Button, Menu } from '@mantine/core'
import { IconFileExport, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type FilesMenuProps = {
  isExporting: boolean
  /** The items that export. */
  children: ReactNode
}

/** 'Import / Export' in the toolbar of a list. */
export function FilesMenu({ isExporting, children }: FilesMenuProps) {
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button variant="default" leftSection={<IconFileExport {...icon} />} disabled={isExporting}>
          {isExporting ? 'Exporting...' : 'Import / Export'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to="/app/settings/import"
          leftSection={<IconUpload {...icon} />}
        >
          Import from CSV
        </Menu.Item>
        <Menu.Divider />
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
