import { Button, Progress } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { PanelRow } from '#ui/panel.tsx'
import { useContactCount } from './queries.ts'
import { useExportContacts } from './use-export-contacts.ts'

/** Exports all contacts as a CSV file, with progress. */
export function ExportContactsRow() {
  const { isExporting, exported, exportContacts } = useExportContacts()
  const { data: total, isPending } = useContactCount()
  return (
    <>
      <PanelRow title="Export contacts" text={textFor(total)}>
        <Button
          variant="default"
          disabled={isPending || total === 0 || isExporting}
          onClick={() => exportContacts({})}
        >
          {isExporting ? 'Exporting...' : 'Export Contacts'}
        </Button>
      </PanelRow>
      {isExporting && total !== undefined && (
        <Progress
          size="xs"
          radius={0}
          value={(100 * exported) / Math.max(total, 1)}
          aria-label={`Exported ${shownNumber(exported)} of ${counted(total, 'contact')}`}
        />
      )}
    </>
  )
}

function textFor(total: number | undefined): string {
  if (total === 0) return 'No contacts to export yet.'
  if (total === undefined) return 'Download all your contacts as a CSV file.'
  return `Download ${counted(total, 'contact')} as a CSV file.`
}
