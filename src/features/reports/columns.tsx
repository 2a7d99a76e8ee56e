import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { shortNumber } from '#domain/figures.ts'
import { shortMoney } from '#domain/money.ts'

type ColumnsProps = {
  data: Record<string, string | number>[]
  /** The key of each series, with its name and colour. */
  series: { name: string; label: string; color: string }[]
  isMoney?: boolean
  isStacked?: boolean
}

/** A column chart over time, grouped or stacked. */
export function Columns({ data, series, isMoney = false, isStacked = false }: ColumnsProps) {
  return (
    <BarChart
      h={220}
      // Half a line, so that the uppermost mark stands at its line.
      barChartProps={{ margin: { top: 8 } }}
      data={data}
      dataKey="name"
      series={series}
      type={isStacked ? 'stacked' : 'default'}
      valueFormatter={isMoney ? (amount) => shortMoney(amount, 2) : shortNumber}
      withLegend={series.length > 1}
      // In the order of the series.
      legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
      tickLine="none"
      strokeDasharray="0"
      gridColor="var(--solo-hairline)"
      maxBarWidth={28}
      barProps={{ isAnimationActive: false, radius: isStacked ? 0 : 2 }}
      yAxisProps={{ width: 52, allowDecimals: isMoney }}
      xAxisProps={{ minTickGap: 12 }}
      // The table beside it has the numbers.
      accessibilityLayer={false}
    />
  )
}
