import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'

type ColumnsProps = {
  data: Record<string, string | number>[]
  /** The key of each series, with its name and colour. */
  series: { name: string; label: string; color: string }[]
  isMoney?: boolean
  isStacked?: boolean
}

const shortMoney = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** A column chart over time, grouped or stacked. */
export function Columns({ data, series, isMoney = false, isStacked = false }: ColumnsProps) {
  const format = isMoney ? shortMoney : short
  return (
    <BarChart
      h={220}
      data={data}
      dataKey="name"
      series={series}
      type={isStacked ? 'stacked' : 'default'}
      valueFormatter={(value) => format.format(value)}
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
