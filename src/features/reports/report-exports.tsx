import { Menu } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { type Unfolded, UnfoldedMenu } from '#ui/unfolded.tsx'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What 'Export' offers. */
export function ReportExports({ onCsv, ...menu }: Unfolded & { onCsv: () => void }) {
  return (
    <UnfoldedMenu position="bottom-end" {...menu}>
      <Menu.Item leftSection={<IconDownload {...icon} />} onClick={onCsv}>
        CSV file
      </Menu.Item>
      <Menu.Item leftSection={<IconPrinter {...icon} />} onClick={() => window.print()}>
        Print
      </Menu.Item>
    </UnfoldedMenu>
  )
}
