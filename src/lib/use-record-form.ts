import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { fieldErrors, unreadable } from '#domain/field-errors.ts'

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
    const values = { ...form.getValues(), ...halfTyped(element.current) }
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

/** The fields with an incomplete date, by name: their value is empty, only their validity shows it. */
function halfTyped(form: HTMLFormElement | null): Record<string, string> {
  const inputs = [...(form?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])]
  return Object.fromEntries(
    inputs.filter(({ validity }) => validity.badInput).map(({ name }) => [name, unreadable]),
  )
}
