import { useState } from 'react'
import { checkOf } from '#domain/fields/checks.ts'
import { changeAt, type Fields, valueAt } from '#domain/fields/field.ts'
import { inputOf, textOf, typedText } from '#domain/fields/form.ts'
import { RecordConflict } from './record-writes.ts'

type Versioned = { updated_at: string }

type DetailFieldsOptions<Card, Values> = {
  record: Card
  fields: Fields
  update: (change: { seen: Card; values: Partial<Values> }) => Promise<unknown>
}

/** A field that is edited in place. */
export type DetailField = {
  value: string
  /** The error of a text, or null. */
  check: (text: string) => string | null
  /** Returns the other window's text, if that window saved first. */
  save: (text: string) => Promise<{ theirs: string } | null>
  /** Saves what becomes of the value. Returns that of another window, if it saved first; the next try is over it. */
  put: (change: (value: unknown) => unknown) => Promise<{ theirs: unknown } | null>
  /** Saves what was chosen instead of typed; the mutation reports a failure and rolls back. */
  choose: (choice: string | string[] | null) => void
}

/**
 * Saves the fields of a record one by one, each over the version that the user saw. After a conflict, the next save is
 * over the version that is then shown.
 */
export function useDetailFields<Card extends Versioned, Values>({
  record,
  fields,
  update,
}: DetailFieldsOptions<Card, Values>): (name: string) => DetailField {
  const [shown, setShown] = useState<Card | null>(null)
  const seen = shown && shown.updated_at > record.updated_at ? shown : record

  function parse(name: string, input: unknown) {
    const field = fields[name]
    if (!field) throw new Error(`There is no field ${name}.`)
    return checkOf(field).safeParse(input)
  }
  /** What a write changes: the parsed value of the field. */
  const changeOf = (name: string, input: unknown) =>
    changeAt(name, parse(name, input).data) as Partial<Values>

  /** What is typed for a value of the record. */
  function typedOf(card: Card & object, name: string): string {
    const value = valueAt(card, name)
    // Only of this kind is another text typed than is stored.
    return fields[name]?.kind === 'birthday'
      ? textOf(inputOf(fields[name], value))
      : typedText(value)
  }

  return (name) => ({
    value: typedOf(record, name),
    check: (text) => parse(name, text).error?.issues[0]?.message ?? null,
    async save(text) {
      try {
        await update({ seen, values: changeOf(name, text) })
        return null
      } catch (error) {
        if (!(error instanceof RecordConflict)) throw error
        setShown(error.current)
        return { theirs: typedOf(error.current, name) }
      }
    },
    async put(change) {
      try {
        await update({ seen, values: changeOf(name, change(valueAt(seen, name))) })
        return null
      } catch (error) {
        if (!(error instanceof RecordConflict)) throw error
        setShown(error.current)
        return { theirs: valueAt(error.current, name) }
      }
    },
    choose(choice) {
      update({ seen, values: changeOf(name, choice) }).catch(() => {})
    },
  })
}
