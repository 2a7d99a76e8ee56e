import { Button } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { shownDate } from '#domain/dates.ts'
import type { Report } from '#domain/report.ts'
import { type Pipeline, pipelineChips } from '#features/pipelines/index.ts'
import { useUrlChoices } from '#lib/url-state.ts'
import { lazyPart, openedPart } from '#ui/lazy-part.tsx'
import { type FilterChip, FilterPopover } from '#ui/list-toolbar.tsx'
import { showError, showToast } from '#ui/toast.tsx'
import { Unfolding } from '#ui/unfolding.tsx'
import { everything, type ReportUrlState, reportUrlSchema } from './report-view.ts'
import classes from './reports.module.css'

type Change = (changes: Partial<ReportUrlState>) => void

type ReportActionsProps = {
  pipelines: Pipeline[]
  /** The active filters. */
  chips: FilterChip[]
  /** Undefined while it loads. */
  report: Report | undefined
}

const ReportFilters = lazyPart(async () => (await import('./report-filters.tsx')).ReportFilters, {
  name: 'The filter',
})
const ReportExports = openedPart(async () => (await import('./report-exports.tsx')).ReportExports)

/** Filter and Export. */
export function ReportActions(props: ReportActionsProps) {
  const { pipelines, chips, report } = props
  const { state, setState: onChange } = useUrlChoices(reportUrlSchema)
  const count = filterChips(state, onChange, pipelines).length
  return (
    <div className={classes.tools}>
      <FilterPopover count={count} onClear={() => onChange(everything)} part={ReportFilters}>
        <ReportFilters state={state} pipelines={pipelines} onChange={onChange} />
      </FilterPopover>
      <Unfolding
        popup="menu"
        parts={[ReportExports]}
        button={(button) => (
          <Button
            variant="default"
            disabled={!report}
            leftSection={<IconFileExport size={16} stroke={1.5} aria-hidden />}
            {...button}
          >
            Export
          </Button>
        )}
      >
        {(onClose) => (
          <ReportExports
            label="Export"
            onCsv={() => report && saveReport(report, chips)}
            onClose={onClose}
          />
        )}
      </Unfolding>
    </div>
  )
}

async function saveReport(report: Report, chips: FilterChip[]): Promise<void> {
  try {
    const { exportReport } = await import('./export-report.ts')
    await exportReport(
      report,
      chips.map(({ label, value }) => ({ name: label, value })),
    )
    showToast({ title: 'Export Complete', message: 'Successfully exported the report' })
  } catch {
    showError('There was an error exporting the report', 'Export Failed')
  }
}

/** A chip for each active filter, which removes it. */
export function filterChips(
  state: ReportUrlState,
  onChange: Change,
  pipelines: Pipeline[],
): FilterChip[] {
  const days = (['from', 'to'] as const).flatMap((key) => {
    const value = state[key]
    const onRemove = () => onChange({ [key]: undefined })
    return value ? [{ key, label: `Period ${key}`, value: shownDate(value), onRemove }] : []
  })
  return [...pipelineChips({ ...state, pipelines, onChange }), ...days]
}
