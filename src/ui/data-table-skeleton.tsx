import { Skeleton, Text } from '@mantine/core'
import classes from './data-table.module.css'

const skeletons = Array.from({ length: 12 }, (_, index) => `row ${index}`)

/** Placeholders while the rows load. */
export function DataTableSkeleton({ text }: { text: string }) {
  return (
    <div className={classes.scroller} role="status">
      <Text size="sm" c="dimmed" className={classes.loading ?? ''}>
        {text}
      </Text>
      <div aria-hidden>
        {skeletons.map((key) => (
          <div key={key} className={classes.skeleton}>
            <Skeleton height={12} radius="sm" />
          </div>
        ))}
      </div>
    </div>
  )
}
