import { Skeleton, Text } from '@mantine/core'
import classes from './data-table.module.css'
import { usePlace } from './kept-place.ts'

/** More than fit on most screens; what is below the edge is cut off. */
const skeletons = Array.from({ length: 60 }, (_, index) => `row ${index}`)

/** Placeholders while the rows load, in the place that the table will have. */
export function DataTableSkeleton({ text, foot }: { text: string; foot: number }) {
  const { element, top } = usePlace<HTMLDivElement>()
  return (
    <div
      ref={element}
      className={`${classes.scroller} ${classes.waiting}`}
      style={{ height: `max(320px, calc(100dvh - ${top + foot}px))` }}
      role="status"
    >
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
