import { Button } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { openedPart } from '#ui/lazy-part.tsx'
import { Unfolding } from '#ui/unfolding.tsx'
import type { ExportChoice } from './export-choices.tsx'

const FileChoices = openedPart(async () => (await import('./file-choices.tsx')).FileChoices)

type FilesMenuProps = {
  isExporting: boolean
  choices: ExportChoice[]
}

/** 'Import / Export' in the toolbar of a list. */
export function FilesMenu({ isExporting, choices }: FilesMenuProps) {
  const label = isExporting ? 'Exporting...' : 'Import / Export'
  return (
    <Unfolding
      popup="menu"
      parts={[FileChoices]}
      button={(button) => (
        <Button
          variant="default"
          leftSection={<IconFileExport size={16} stroke={1.5} aria-hidden />}
          disabled={isExporting}
          {...button}
        >
          {label}
        </Button>
      )}
    >
      {(onClose) => <FileChoices label={label} choices={choices} onClose={onClose} />}
    </Unfolding>
  )
}
