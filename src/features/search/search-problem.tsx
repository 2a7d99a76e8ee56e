import { Button } from '@mantine/core'
import { errorMessage, isRefused, isUnreachable, readProblem } from '#lib/errors.ts'
import classes from './search.module.css'

type SearchProblemProps = {
  searching: Error | null
  creating: Error | null
  onRetry: () => void
}

/** The error of a search or a creation, with a button to try again. */
export function SearchProblem({ searching, creating, onRetry }: SearchProblemProps) {
  const text = creating ? creatingWords(creating) : searching && readProblem(searching)
  if (!text) return null
  return (
    <div role="alert" className={classes.message}>
      <span className={classes.text}>{text}</span>
      {!isRefused(creating) && (
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** A line is written as a whole or not at all; after a lost answer it is unknown which. */
function creatingWords(error: Error): string {
  const words = errorMessage(error)
  if (isUnreachable(error)) return `${words} If you try again, nothing is created twice.`
  return words.includes('Nothing was saved') ? words : `${words} Nothing was saved.`
}
