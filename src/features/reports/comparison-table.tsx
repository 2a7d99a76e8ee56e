import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
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
          <th scope="col">{nowName}</th>
          <th scope="col">{beforeName}</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {comparedFigures.map(({ name, figure, isMoney }) => {
          const shown = (value: number | string) =>
            isMoney ? shownMoney(value) : shownNumber(Number(value))
          const isNothing = Number(now[figure]) === 0 && Number(before[figure]) === 0
          const { words, direction } = percentChange(now[figure], before[figure])
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{shown(now[figure])}</td>
              <td>{shown(before[figure])}</td>
              <td className={classes.change} data-direction={isNothing ? 'none' : direction}>
                {isNothing ? '–' : words}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
