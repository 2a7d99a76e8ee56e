import { Button, Group, Menu, Text } from '@mantine/core'
import { IconDownload, IconFileExport, IconPrinter } from '@tabler/icons-react'
import { shownDate } from '#domain/dates.ts'
import type { Report } from '#domain/report.ts'
import { type Pipeline, PipelineFilter, pipelineChips } from '#features/pipelines/index.ts'
import { useUrlChoices } from '#lib/url-state.ts'
import { DayField } from '#ui/day-field.tsx'
import { type FilterChip, FilterPopover } from '#ui/list-toolbar.tsx'
import { showError, showToast } from '#ui/toast.tsx'
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

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** Filter and Export. */
export function ReportActions(props: ReportActionsProps) {
  const { pipelines, chips, report } = props
  const { state, setState: onChange } = useUrlChoices(reportUrlSchema)
  const count = filterChips(state, onChange, pipelines).length
  return (
    <div className={classes.tools}>
      <FilterPopover count={count} onClear={() => onChange(everything)}>
        <PipelineFilter {...state} pipelines={pipelines} onChange={onChange} />
        <Group grow gap="sm" align="flex-start">
          <DayField
            label="Period from"
            value={state.from}
            onChange={(from) => onChange({ from })}
            error={state.from && state.to && state.from > state.to ? 'Later than the end' : false}
          />
          <DayField label="Period to" value={state.to} onChange={(to) => onChange({ to })} />
        </Group>
        <Text size="xs" c="dimmed">
          Each figure uses its own date: created, closed, expected close or logged. Pipeline filters
          don’t apply to contacts, companies and activities.
        </Text>
      </FilterPopover>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="default" disabled={!report} leftSection={<IconFileExport {...icon} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDownload {...icon} />}
            onClick={() => report && saveReport(report, chips)}
          >
            CSV file
          </Menu.Item>
          <Menu.Item leftSection={<IconPrinter {...icon} />} onClick={() => window.print()}>
            Print
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
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
