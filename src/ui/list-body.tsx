import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState, ErrorState, LoadingState } from './states.tsx'

type ListBodyProps = {
  list: {
    rows: readonly unknown[]
    isLoading: boolean
    /** Why there is nothing to show, in words. */
    problem: string | null
    refetch: () => void
    more: { isLoading: boolean; hasFailed: boolean; retry: () => void }
  }
  /** What the rows are, such as 'contacts'. */
  name: string
  /** What comes as one scrolls. */
  nextName?: string
  /** What stands here until the first rows come. */
  skeleton: ReactNode
  /** What stands here when there are none. */
  empty: ReactNode
  /** The rows say themselves that more are on their way. */
  hidesLoading?: boolean
  children: ReactNode
}

/** Loading, failed, empty, or the rows with what is said below them. */
export function ListBody(props: ListBodyProps) {
  const { list, name, nextName = `next ${name}`, skeleton, empty, hidesLoading, children } = props
  if (list.isLoading) return skeleton
  if (list.problem !== null) {
    return (
      <ErrorState
        title={`The ${name} could not be loaded`}
        message={list.problem}
        onRetry={list.refetch}
      />
    )
  }
  if (list.rows.length === 0) return empty
  return (
    <>
      {children}
      {list.more.isLoading && !hidesLoading && <LoadingState text={`Loading ${name}...`} />}
      {list.more.hasFailed && (
        <ErrorState
          title={`The ${nextName} could not be loaded`}
          message="Those above are still right."
          onRetry={list.more.retry}
        />
      )}
    </>
  )
}

type NoMatchProps = { title: string; hint?: string; onClear: () => void }

/** There are rows, but none that is searched for. */
export function NoMatch({
  title,
  hint = 'Nothing matches this search and these filters.',
  onClear,
}: NoMatchProps) {
  return (
    <EmptyState
      title={title}
      hint={hint}
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    />
  )
}
