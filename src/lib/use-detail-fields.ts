import { useState } from 'react'
import { checkOf } from '#domain/fields/checks.ts'
import { type Fields, valueAt } from '#domain/fields/field.ts'
import { textOf, typedIn } from '#domain/fields/form.ts'
import { RecordConflict } from './record-writes.ts'

type Versioned = { updated_at: string }

type DetailFieldsOptions<Card, Values> = {
  record: Card
  fields: Fields
  update: (change: { seen: Card; values: Partial<Values> }) => Promise<unknown>
}

/** One field, as it is edited where it stands. */
export type DetailField = {
  value: string
  /** Why a text cannot be saved, or null. */
  check: (text: string) => string | null
  /** Answers with the other window's text, where that one was faster. */
  save: (text: string) => Promise<{ theirs: string } | null>
}

/**
 * The fields of a record that are edited one by one, each over the version that the user saw. When
 * another window was faster, the next save is over the version that is then shown.
 */
export function useDetailFields<Card extends Versioned, Values>({
  record,
  fields,
  update,
}: DetailFieldsOptions<Card, Values>): (name: string) => DetailField {
  const [shown, setShown] = useState<Card | null>(null)
  const seen = shown && shown.updated_at > record.updated_at ? shown : record

  function parse(name: string, text: string) {
    const field = fields[name]
    if (!field) throw new Error(`There is no field ${name}.`)
    return checkOf(field).safeParse(typedIn(field, text))
  }

  return (name) => ({
    value: textOf(valueAt(record, name)),
    check: (text) => parse(name, text).error?.issues[0]?.message ?? null,
    async save(text) {
      // What the field's own check made of it.
      const values = { [name]: parse(name, text).data } as Partial<Values>
      try {
        await update({ seen, values })
        return null
      } catch (error) {
        if (!(error instanceof RecordConflict)) throw error
        setShown(error.current)
        return { theirs: textOf(valueAt(error.current, name)) }
      }
    },
  })
}
