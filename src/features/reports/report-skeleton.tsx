import { Skeleton, Text } from '@mantine/core'
import { StatCards } from '#ui/stat-card.tsx'
import classes from './reports.module.css'

const cards = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']

/** Placeholders while the report loads. */
export function ReportSkeleton() {
  return (
    <div role="status" className={classes.waiting}>
      {/* On the first card, so that the cards lie where they will. */}
      <Text size="sm" c="dimmed" className={classes.loading ?? ''}>
        Loading reports...
      </Text>
      <div aria-hidden>
        <StatCards>
          {cards.map((key) => (
            <Skeleton key={key} height={96} radius="md" />
          ))}
        </StatCards>
        <div className={classes.pair}>
          <Skeleton height={320} radius="md" />
          <Skeleton height={320} radius="md" />
        </div>
      </div>
    </div>
  )
}
