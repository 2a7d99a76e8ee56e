import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState, ErrorState, LoadingState } from './states.tsx'

type ListBodyProps = {
  list: {
    rows: readonly unknown[]
    isLoading: boolean
    /** The error message when nothing could be read. */
    problem: string | null
    refetch: () => void
    more: { isLoading: boolean; hasFailed: boolean; retry: () => void }
  }
  /** 'contacts'. */
  name: string
  /** The name of the next page, for its error message. */
  nextName?: string
  skeleton: ReactNode
  empty: ReactNode
  /** No 'Loading…' below the rows, where they show it themselves. */
  hidesLoading?: boolean
  children: ReactNode
}

/** The states of a list: loading, error, empty, rows. */
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
          message="What you see above is up to date."
          onRetry={list.more.retry}
        />
      )}
    </>
  )
}

type NoMatchProps = { title: string; hint?: string; onClear: () => void }

/** For a search or filter without a match. */
export function NoMatch({
  title,
  hint = 'Nothing matches your search and filters.',
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
