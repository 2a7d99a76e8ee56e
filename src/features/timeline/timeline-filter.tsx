import { SegmentedControl } from '@mantine/core'
import { useLocation, useSearchParams } from 'react-router'
import { timelineParts } from '#domain/timeline.ts'
import classes from './timeline.module.css'
import { timelineParam } from './timeline-param.ts'

/** The part that the address asks for; undefined for all of it. */
export function useTimelinePart() {
  const [params] = useSearchParams()
  return timelineParts.find(({ name }) => name === params.get(timelineParam))
}

const choices = [
  { value: '', label: 'All' },
  ...timelineParts.map(({ name, label }) => ({ value: name, label })),
]

/** Chooses which entries of the timeline show. */
export function TimelineFilter() {
  const part = useTimelinePart()
  const { state } = useLocation()
  const [, setParams] = useSearchParams()
  function choose(name: string): void {
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (name) after.set(timelineParam, name)
        else after.delete(timelineParam)
        return after
      },
      // In place, with its state: Back leads to the list that the user came from.
      { replace: true, preventScrollReset: true, state },
    )
  }
  return (
    <div className={classes.filter}>
      <SegmentedControl
        size="xs"
        aria-label="Show in the timeline"
        data={choices}
        value={part?.name ?? ''}
        onChange={choose}
      />
    </div>
  )
}
