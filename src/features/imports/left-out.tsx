import { Text } from '@mantine/core'
import { leftOutWords } from '#domain/import-columns.ts'
import type { Interpretation } from './interpret-rows.ts'

/** The columns with values that will not be imported, in one line of a text. */
export function LeftOut({ interpretation }: { interpretation: Interpretation }) {
  const { columns, plan } = interpretation
  const words = leftOutWords(columns, plan.mapping)
  if (words === null) return null
  return (
    <Text
      component="span"
      display="block"
      size="sm"
      c="var(--mantine-color-text)"
      style={{ overflowWrap: 'anywhere' }}
    >
      {words}
    </Text>
  )
}
