import type { Report } from '#domain/report.ts'
import { type ReportScope, reportLines } from '#domain/report-csv.ts'
import { saveCsv } from '#lib/save-csv.ts'

/** Saves the report as a CSV file, under the day that it is of. */
export async function exportReport(report: Report, scope: ReportScope): Promise<void> {
  await saveCsv({
    name: `report-${report.day}.csv`,
    header: ['Reports & Analytics'],
    parts: inOnePart(reportLines(report, scope)),
  })
}

async function* inOnePart(lines: string[][]): AsyncGenerator<string[][]> {
  yield lines
}
