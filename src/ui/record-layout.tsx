import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-layout.module.css'

type RecordLayoutProps = { header: ReactNode; aside: ReactNode; children: ReactNode }

/** The layout of a record page: details beside the timeline; on the phone one below the other. */
export function RecordLayout({ header, aside, children }: RecordLayoutProps) {
  return (
    <div className={classes.page}>
      {header}
      <div className={classes.columns}>
        <div className={classes.aside}>{aside}</div>
        <div className={classes.main}>{children}</div>
      </div>
    </div>
  )
}

const skeletons = ['a', 'b', 'c', 'd', 'e']

/** Placeholders while the details load. */
export function DetailsSkeleton({ text }: { text: string }) {
  return (
    <div role="status" className={classes.section}>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      {skeletons.map((key) => (
        <Skeleton key={key} height={16} my={16} aria-hidden />
      ))}
    </div>
  )
}
