import { Text } from '@mantine/core'
import { aboveWords, createdWords, leftOutWords } from '#domain/import-column-words.ts'
import type { Interpretation } from './interpret-rows.ts'
import type { Form } from './read-table.ts'

const technical = 'Not imported: what only programs need of a card, such as UID, REV and PRODID.'

type LeftOutProps = {
  interpretation: Interpretation
  form: Form
  /** Whether records that exist are updated. */
  isUpdate?: boolean
}

/** What will not be imported, a line for the columns with values and one for each other kind. */
export function LeftOut({ interpretation, form, isUpdate = false }: LeftOutProps) {
  const { columns, plan, above } = interpretation
  const lines = [
    leftOutWords(columns, plan.mapping),
    isUpdate ? createdWords(plan.kind, columns, plan.mapping) : null,
    aboveWords(above),
    form.is === 'cards' ? technical : null,
  ]
  return lines.map(
    (words) =>
      words !== null && (
        <Text
          key={words}
          component="span"
          display="block"
          size="sm"
          c="var(--mantine-color-text)"
          style={{ overflowWrap: 'anywhere' }}
        >
          {words}
        </Text>
      ),
  )
}
