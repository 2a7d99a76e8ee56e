import { useState } from 'react'
import type { z } from 'zod'
import { newId } from './new-id.ts'
import { RecordConflict } from './record-writes.ts'
import { useRecordForm } from './use-record-form.ts'

type RecordEditorOptions<Card, Schema extends z.ZodType, Answer> = {
  schema: Schema
  /** The record to edit; undefined for a new one. */
  record: Card | undefined
  initialValues: z.input<Schema> & Record<string, unknown>
  create: (input: { id: string; values: z.output<Schema> }) => Promise<Answer>
  update: (input: { seen: Card; values: z.output<Schema> }) => Promise<Answer>
  /** `sent` are the saved values: the form may have changed meanwhile. */
  onSaved: (answer: Answer, sent: z.input<Schema>) => void
}

/**
 * The form that creates or edits a record. When another window saved the record meanwhile, `other` is that version, and
 * the next save overwrites it.
 */
export function useRecordEditor<Card, Schema extends z.ZodType, Answer>({
  schema,
  record,
  initialValues,
  create,
  update,
  onSaved,
}: RecordEditorOptions<Card, Schema, Answer>) {
  // One id for all tries, so that a lost answer never creates two records.
  const [id, setId] = useState(newId)
  const [seen, setSeen] = useState(record)
  const [other, setOther] = useState<Card | null>(null)
  const recordForm = useRecordForm({
    schema,
    initialValues,
    async save(values, sent) {
      try {
        const answer = await (seen ? update({ seen, values }) : create({ id, values }))
        setId(newId())
        onSaved(answer, sent)
      } catch (error) {
        if (!(error instanceof RecordConflict)) throw error
        // The conflict shows this version to the user.
        setOther(error.current)
        setSeen(error.current)
      }
    },
  })
  return { ...recordForm, other }
}
