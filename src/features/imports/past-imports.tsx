import { Text } from '@mantine/core'
import { shownMoment } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readProblem } from '#lib/errors.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { type PastImport, usePastImports } from './queries.ts'
import { UndoImportButton } from './undo-import-button.tsx'
import { summaryInWords } from './words.ts'

/** The finished imports, with Undo for each. */
export function PastImports() {
  const past = usePastImports()
  if (past.isPending) return <LoadingState text="Loading imports..." />
  if (!past.data) {
    return (
      <ErrorState
        title="The imports could not be loaded"
        message={readProblem(past.error)}
        onRetry={past.refetch}
      />
    )
  }
  if (past.data.length === 0) return null
  return (
    <Panel title="Past imports" text="Undo an import at any time.">
      {past.data.map((each) => (
        <Line key={each.id} past={each} />
      ))}
    </Panel>
  )
}

function Line({ past }: { past: PastImport }) {
  const { kind, file_name, done_at, summary, batch, is_undone } = past
  const timeZone = useTimeZone()
  return (
    <PanelRow
      title={file_name}
      text={`${shownMoment(done_at, timeZone)} · ${summaryInWords(kind, summary).join(', ')}`}
    >
      {is_undone && (
        <Text size="sm" c="dimmed">
          Undone
        </Text>
      )}
      {!is_undone && batch && (
        <UndoImportButton batch={batch} label="Undo" name={`Undo the import of ${file_name}`} />
      )}
    </PanelRow>
  )
}
