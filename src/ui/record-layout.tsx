import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-layout.module.css'

/** The layout of a record page: its header, and below it its columns. */
export function RecordLayout({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

type ColumnsLayoutProps = { aside: ReactNode; children: ReactNode }

/** Details beside the timeline; on the phone one below the other. */
export function ColumnsLayout({ aside, children }: ColumnsLayoutProps) {
  return (
    <div className={classes.columns}>
      <div className={classes.aside}>{aside}</div>
      <div className={classes.main}>{children}</div>
    </div>
  )
}

const skeletons = ['a', 'b', 'c', 'd', 'e']

/** Placeholders while the details load. */
export function DetailsSkeleton({ text }: { text: string }) {
  return (
    <div role="status" className={`${classes.section} ${classes.loading}`}>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      {skeletons.map((key) => (
        <Skeleton key={key} height={16} my={16} aria-hidden />
      ))}
    </div>
  )
}
