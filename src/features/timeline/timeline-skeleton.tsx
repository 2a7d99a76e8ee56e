import { Skeleton, Text, Title } from '@mantine/core'
import noteClasses from './note-form.module.css'
import classes from './timeline.module.css'

/** Keeps the place of the timeline until its code is there. */
export function TimelineSkeleton() {
  return (
    <section aria-label="Timeline">
      <div className={classes.top}>
        <Title order={2}>Timeline</Title>
        <Skeleton className={classes.filterSkeleton ?? ''} aria-hidden />
      </div>
      <ComposerSkeleton />
      <EntriesSkeleton />
    </section>
  )
}

function ComposerSkeleton() {
  return (
    <div className={noteClasses.composer} aria-hidden>
      <div className={noteClasses.form}>
        <Skeleton height={28} width={140} />
        <Skeleton height={35} />
      </div>
    </div>
  )
}

const widths = [320, 240, 380, 280]

export function EntriesSkeleton() {
  return (
    <div role="status">
      <Text size="sm" c="dimmed" mb="sm">
        Loading timeline...
      </Text>
      {widths.map((width) => (
        <Skeleton key={width} height={16} maw={width} mb={16} aria-hidden />
      ))}
    </div>
  )
}
