import { Menu } from '@mantine/core'
import { IconColumns3, IconDownload } from '@tabler/icons-react'

/** What of each record goes into the file. */
export type ExportChoice = { fields: 'all' | 'shown'; onExport: () => void }

const looks = {
  all: { label: 'Export all fields', Icon: IconDownload },
  shown: { label: 'Export only what is shown', Icon: IconColumns3 },
}

/** What goes into the file, as items of a menu. */
export function ExportChoices({ choices }: { choices: ExportChoice[] }) {
  return choices.map(({ fields, onExport }) => {
    const { label, Icon } = looks[fields]
    return (
      <Menu.Item
        key={fields}
        leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
        onClick={onExport}
      >
        {label}
      </Menu.Item>
    )
  })
}
