import { contactName } from './contact.ts'
import { neutralised } from './csv.ts'
import { stageLabel } from './deal.ts'
import { habits } from './habits.ts'
import { uncountedWords } from './money.ts'
import {
  activityKinds,
  conversionSteps,
  forecastLabel,
  monthLabel,
  type Report,
  type ReportDeal,
  reasonLabel,
  winRate,
} from './report.ts'

/** The active filters of the report, by name. */
export type ReportScope = { name: string; value: string }[]

/**
 * The whole report as CSV lines: the figures, then each chart and list with title and heading, separated by empty
 * lines. Figures and days are unformatted, for spreadsheets.
 */
export function reportLines(report: Report, scope: ReportScope): string[][] {
  const blocks = [
    [
      ['Report Date', report.day],
      ['Currency', habits().currency],
      ...scope.map(({ name, value }) => [name, value]),
    ],
    figures(report),
    ...charts(report),
    dealList('Upcoming Deal Closes', report.upcoming),
    dealList('All Deals', report.deals),
  ]
  return blocks
    .flatMap((block, index) => (index === 0 ? block : [[''], ...block]))
    .map((line) => line.map(neutralised))
}

function figures(report: Report): string[][] {
  const rate = winRate(report)
  return [
    ['Figure', 'Value'],
    ['Contacts Added', String(report.contacts_added)],
    ['Companies Added', String(report.companies_added)],
    ['Deals Created', String(report.deals_created)],
    ['Revenue Closed', report.revenue_closed],
    ['Total Pipeline Value', report.total_value],
    ...uncountedWords(report.uncounted).map((words) => [words]),
    ['Deals', String(report.total_deals)],
    ['Active Deals', String(report.active_deals)],
    ['Upcoming Closes', String(report.upcoming_closes)],
    ['Deals won', String(report.won)],
    ['Deals lost', String(report.lost)],
    ['Win rate (%)', rate === null ? '' : String(rate)],
    ['Days to close, average', String(report.average_days ?? '')],
    ['Days to close, median', String(report.median_days ?? '')],
  ]
}

function charts(report: Report): string[][][] {
  const { stages, months, forecast, conversion, lost_reasons, weeks } = report
  return [
    [
      ['Pipeline by stage'],
      ['Stage', 'Deals', 'Value', 'Weighted value'],
      ...stages.map((line) => [
        stageLabel(line.name),
        String(line.count),
        line.value,
        line.weighted,
      ]),
    ],
    [
      ['Won and lost per month'],
      ['Month', 'Won', 'Won value', 'Lost', 'Lost value'],
      ...months.map(({ month, won, won_value, lost, lost_value }) => [
        monthLabel(month),
        String(won),
        won_value,
        String(lost),
        lost_value,
      ]),
    ],
    [
      ['Forecast by month'],
      ['Expected close', 'Deals', 'Value', 'Weighted value'],
      ...forecast.map((line) => [
        forecastLabel(line),
        String(line.count),
        line.value,
        line.weighted,
      ]),
    ],
    [
      ['Conversion from stage to stage', conversion.pipeline ?? ''],
      ['Stage', 'Deals that reached it', 'From previous stage (%)'],
      ...conversionSteps(conversion.stages).map(({ name, reached, rate }) => [
        name,
        String(reached),
        String(rate ?? ''),
      ]),
    ],
    [
      ['Lost reasons'],
      ['Reason', 'Deals', 'Value'],
      ...lost_reasons.map(({ reason, count, value }) => [
        reasonLabel(reason),
        String(count),
        value,
      ]),
    ],
    [
      ['Activities per week'],
      ['Week of', ...activityKinds.map(({ name }) => name)],
      ...weeks.map((line) => [line.week, ...activityKinds.map(({ kind }) => String(line[kind]))]),
    ],
  ]
}

function dealList(title: string, deals: ReportDeal[]): string[][] {
  return [
    [title],
    ['Deal', 'Stage', 'Value', 'Currency', 'Expected Close', 'Company', 'Contact', 'Email'],
    ...deals.map((deal) => [
      deal.name,
      stageLabel(deal.stage_name),
      deal.value.toFixed(2),
      deal.currency ?? habits().currency,
      deal.expected_close_date ?? '',
      deal.company_name ?? '',
      deal.contact ? contactName(deal.contact) : '',
      deal.contact?.email ?? '',
    ]),
  ]
}
