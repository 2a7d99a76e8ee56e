import { useState } from 'react'
import type { z } from 'zod'
import { RecordConflict } from './record-writes.ts'

type Versioned = { updated_at: string }

type DetailFieldsOptions<Card, Schema extends z.ZodObject, Name extends string> = {
  record: Card
  schema: Schema
  /** The record as texts, as its form would hold them. */
  textsOf: (record: Card) => Record<Name, string>
  /** What the schema takes for a text, where that is not the text itself. */
  inputOf?: (name: Name, text: string) => unknown
  update: (change: { seen: Card; values: Partial<z.output<Schema>> }) => Promise<unknown>
}

/**
 * The fields of a record that are edited one by one, each over the version that the user saw. When
 * another window was faster, the next save is over the version that is then shown.
 */
export function useDetailFields<
  Card extends Versioned,
  Schema extends z.ZodObject,
  Name extends string,
>({
  record,
  schema,
  textsOf,
  inputOf = (_name, text) => text,
  update,
}: DetailFieldsOptions<Card, Schema, Name>) {
  const [shown, setShown] = useState<Card | null>(null)
  const seen = shown && shown.updated_at > record.updated_at ? shown : record

  function parse(name: Name, text: string) {
    const field = schema.shape[name] as z.ZodType | undefined
    if (!field) throw new Error(`The schema has no field ${name}.`)
    return field.safeParse(inputOf(name, text))
  }

  return (name: Name) => ({
    value: textsOf(record)[name],
    check: (text: string) => parse(name, text).error?.issues[0]?.message ?? null,
    async save(text: string): Promise<{ theirs: string } | null> {
      // One field of the schema's own output.
      const values = { [name]: parse(name, text).data } as Partial<z.output<Schema>>
      try {
        await update({ seen, values })
        return null
      } catch (error) {
        if (!(error instanceof RecordConflict)) throw error
        setShown(error.current)
        return { theirs: textsOf(error.current)[name] }
      }
    },
  })
}
