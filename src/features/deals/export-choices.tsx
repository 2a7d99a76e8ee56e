import { Menu } from '@mantine/core'
import { IconColumns3, IconDownload } from '@tabler/icons-react'
import type { DealColumn } from '#domain/fields/deals.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import type { ExportedFields } from './export-deals.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type ExportChoicesProps = {
  /** The columns of the list; null where none are shown. */
  shown: (DealColumn | OwnKey)[] | null
  onExport: (fields: ExportedFields) => void
}

/** What of each deal goes into the file, as items of a menu. */
export function ExportChoices({ shown, onExport }: ExportChoicesProps) {
  return (
    <>
      <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => onExport('all')}>
        Export all fields
      </Menu.Item>
      {shown && (
        <Menu.Item leftSection={<IconColumns3 {...icon} />} onClick={() => onExport(shown)}>
          Export only what is shown
        </Menu.Item>
      )}
    </>
  )
}
