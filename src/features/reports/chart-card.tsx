import { Button, Title, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import classes from './charts.module.css'
import figures from './figure-table.module.css'

type ChartCardProps = {
  title: string
  /** The subject and the period. */
  caption: string
  /** The table of its numbers; the first column names the line. */
  head: string[]
  rows: string[][]
  /** The text instead of an empty chart. */
  empty: string | false
  children: ReactNode
}

/** A chart with its numbers as a table, for screen readers and printing. */
export function ChartCard({ title, caption, head, rows, empty, children }: ChartCardProps) {
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <Title order={2} className={classes.title ?? ''}>
          {title}
        </Title>
        <Button
          className={classes.toggle ?? ''}
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={isTable}
          aria-controls={id}
          aria-label={`${isTable ? 'Hide' : 'Show'} numbers of ${title}`}
          onClick={() => setIsTable((is) => !is)}
        >
          {isTable ? 'Hide numbers' : 'Show numbers'}
        </Button>
      </div>
      <p className={classes.caption}>{caption}</p>
      {empty ? <p className={classes.empty}>{empty}</p> : <div aria-hidden>{children}</div>}
      <div id={id} className={classes.numbers} data-shown={isTable || undefined}>
        <NumberTable title={title} head={head} rows={rows} />
      </div>
    </section>
  )
}

function NumberTable({ title, head, rows }: Pick<ChartCardProps, 'title' | 'head' | 'rows'>) {
  return (
    <table className={`${figures.table} ${classes.table}`}>
      <VisuallyHidden component="caption">{title}</VisuallyHidden>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...figures]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            {figures.map((figure, at) => (
              <td key={head[at + 1]}>{figure}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
