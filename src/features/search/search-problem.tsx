import { Button } from '@mantine/core'
import { errorMessage, isRefused, isUnreachable } from '#lib/errors.ts'
import classes from './search.module.css'

type SearchProblemProps = {
  searching: Error | null
  creating: Error | null
  onRetry: () => void
}

/** What went wrong, in words, with the way to try again. What was typed is still in the field. */
export function SearchProblem({ searching, creating, onRetry }: SearchProblemProps) {
  const text = creating ? creatingWords(creating) : searching && errorMessage(searching)
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

/** All of a line is written or none of it; only of a lost answer nobody knows which. */
function creatingWords(error: Error): string {
  const words = errorMessage(error)
  if (isUnreachable(error)) return `${words} Nothing is created twice.`
  return words.includes('Nothing was saved') ? words : `${words} Nothing was saved.`
}
