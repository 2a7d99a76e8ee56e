import { shownNumber } from '#domain/figures.ts'
import { shortMoney, shownMoney } from '#domain/money.ts'
import { percentChange } from '#domain/percent-change.ts'
import { type Comparison, comparedFigures } from '#domain/week-review.ts'
import figures from './figure-table.module.css'
import classes from './reports.module.css'

type ComparisonTableProps = Comparison & {
  label: string
  nowName: string
  beforeName: string
}

/** The figures of two periods side by side, in columns. */
export function ComparisonTable(props: ComparisonTableProps) {
  const { label, nowName, beforeName, now, before } = props
  return (
    <table className={`${figures.table} ${classes.table}`} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">
            <Days name={nowName} />
          </th>
          <th scope="col">
            <Days name={beforeName} />
          </th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {comparedFigures.map(({ name, figure, isMoney, isLoss }) => {
          const shown = (value: number | string) =>
            isMoney ? <Amount value={value} /> : shownNumber(Number(value))
          const isNothing = Number(now[figure]) === 0 && Number(before[figure]) === 0
          const { words, direction } = percentChange(now[figure], before[figure])
          const isBetter = !isNothing && direction === (isLoss ? 'down' : 'up')
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{shown(now[figure])}</td>
              <td>{shown(before[figure])}</td>
              <td className={classes.change} data-better={isBetter || undefined}>
                {isNothing ? '–' : words}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** 'Nov 1 – Nov 30, 2026', which breaks behind the dash only. */
function Days({ name }: { name: string }) {
  const [from, ...to] = name.split(' – ')
  if (to.length === 0) return name
  return (
    <>
      <span className={classes.day}>{from} –</span> <span className={classes.day}>{to}</span>
    </>
  )
}

/** From here on, two amounts do not fit a phone beside each other. */
const longAmount = 10_000_000

/** An amount, which is rounded on a phone where it would push the change off the screen. */
function Amount({ value }: { value: number | string }) {
  const whole = shownMoney(value)
  if (Math.abs(Number(value)) < longAmount) return whole
  return (
    <>
      <span className={classes.whole}>{whole}</span>
      <span className={classes.rounded} title={whole}>
        {shortMoney(Number(value))}
      </span>
    </>
  )
}
