import { Text } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import classes from './imports.module.css'

/** Says which lines at the end of the file are no records. */
export function LeftOutLines({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null
  const isOne = lines.length === 1
  return (
    <Text size="sm" c="dimmed" mb="md" role="note" className={classes.leftOut ?? ''}>
      {counted(lines.length, 'line')} at the end of the file {isOne ? 'looks' : 'look'} like a
      report footer and won’t be imported: {lines.map((line) => `“${line}”`).join(', ')}
    </Text>
  )
}
