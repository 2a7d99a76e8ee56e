import { Button, Text } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import classes from './imports.module.css'
import type { LeftOutLine } from './interpret-rows.ts'

type LeftOutLinesProps = {
  lines: LeftOutLine[]
  /** Imports a line after all. */
  onKeep: (place: number) => void
}

/** Says which lines at the end of the file are no records, until the user says otherwise. */
export function LeftOutLines({ lines, onKeep }: LeftOutLinesProps) {
  if (lines.length === 0) return null
  return (
    <div className={classes.leftOut}>
      <Text size="sm" c="dimmed" role="note">
        {counted(lines.length, 'line')} at the end of the file{' '}
        {lines.length === 1 ? 'looks' : 'look'} like a report footer and won’t be imported:
      </Text>
      <ul className={classes.leftOutLines}>
        {lines.map(({ place, text }) => (
          <li key={place}>
            <Text component="span" size="sm" c="dimmed">
              “{text}”
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Keep row ${shownNumber(place)}`}
              onClick={() => onKeep(place)}
            >
              Keep
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
