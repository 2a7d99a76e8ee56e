import { Button, Text } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import classes from './imports.module.css'
import type { FooterLine } from './interpret-rows.ts'

type LeftOutLinesProps = {
  lines: FooterLine[]
  /** Imports a line after all, or leaves it out again. */
  onChange: (place: number, isKept: boolean) => void
}

/** Says which lines at the end of the file are no records, until the user says otherwise. */
export function LeftOutLines({ lines, onChange }: LeftOutLinesProps) {
  const groups = [false, true].map((isKept) => lines.filter((line) => line.isKept === isKept))
  return groups.map((group) => {
    const [{ isKept } = { isKept: false }] = group
    if (group.length === 0) return null
    return (
      <div key={String(isKept)} className={classes.leftOut}>
        <Text size="sm" c="dimmed" role="note">
          {counted(group.length, 'line')} at the end of the file{' '}
          {group.length === 1 ? 'looks' : 'look'} like a report footer{' '}
          {isKept ? 'but will be imported:' : 'and won’t be imported:'}
        </Text>
        <ul className={classes.leftOutLines}>
          {group.map(({ place, text }) => (
            <li key={place}>
              <Text component="span" size="sm" c="dimmed">
                “{text}”
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${isKept ? 'Leave out' : 'Keep'} row ${shownNumber(place)}`}
                onClick={() => onChange(place, !isKept)}
              >
                {isKept ? 'Leave out' : 'Keep'}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    )
  })
}
