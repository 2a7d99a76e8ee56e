import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { fieldErrors, unreadable } from '#domain/field-errors.ts'
import { changeAt } from '#domain/fields/field.ts'

type RecordFormOptions<Schema extends z.ZodType> = {
  schema: Schema
  initialValues: z.input<Schema> & Record<string, unknown>
  /** Rejects after a failure, which it reports itself. */
  save: (values: z.output<Schema>, sent: z.input<Schema>) => Promise<unknown>
}

/**
 * The form of a record: checks with its schema, shows messages at the fields, and saves once however often the button
 * is pressed. Typed text always stays.
 */
export function useRecordForm<Schema extends z.ZodType>({
  schema,
  initialValues,
  save,
}: RecordFormOptions<Schema>) {
  const form = useForm({ initialValues })
  const [isSaving, setIsSaving] = useState(false)
  const isBusy = useRef(false)
  const element = useRef<HTMLFormElement>(null)

  async function submit(): Promise<void> {
    if (isBusy.current) return
    const values = withHalfTyped(form.getValues(), element.current)
    const errors = fieldErrors(schema, values)
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first) {
      element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    isBusy.current = true
    setIsSaving(true)
    try {
      await save(schema.parse(values), values)
    } catch {
      // Reported already; the form stays as it is.
    } finally {
      isBusy.current = false
      setIsSaving(false)
    }
  }

  return {
    form,
    element,
    isSaving,
    submit,
    /** For the dialog around the form. */
    dialog: { isDirty: form.isDirty(), isSaving, onSubmit: submit, formRef: element },
  }
}

/** The values, and which fields have an incomplete date: their value is empty, only their validity shows it. */
function withHalfTyped<Values extends Record<string, unknown>>(
  values: Values,
  form: HTMLFormElement | null,
): Values {
  const inputs = [...(form?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])]
  const all: Record<string, unknown> = { ...values }
  for (const { name, validity } of inputs) {
    if (!validity.badInput) continue
    for (const [column, change] of Object.entries(changeAt(name, unreadable))) {
      const isOwn = column !== name
      all[column] = isOwn ? { ...Object(all[column]), ...Object(change) } : change
    }
  }
  // The same names: only what cannot be read was replaced.
  return all as Values
}
