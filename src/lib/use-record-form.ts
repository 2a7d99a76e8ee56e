import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { fieldErrors, unreadable } from '#domain/field-errors.ts'

type RecordFormOptions<Schema extends z.ZodType> = {
  schema: Schema
  initialValues: z.input<Schema> & Record<string, unknown>
  /** Rejects when nothing was saved; telling the user is its own business. */
  save: (values: z.output<Schema>, sent: z.input<Schema>) => Promise<unknown>
}

/**
 * The form of a record: checked with its schema, messages at the fields, saved once however often the
 * button is pressed. What was typed stays, whatever happens.
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
      // Told already; the form stays as it is.
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
    /** What a dialog around the form has to know. */
    dialog: { isDirty: form.isDirty(), isSaving, onSubmit: submit, formRef: element },
  }
}

/** The browser hides half a date from the page, which would take it for none: such fields, by name. */
function halfTyped(form: HTMLFormElement | null): Record<string, string> {
  const inputs = [...(form?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])]
  return Object.fromEntries(
    inputs.filter(({ validity }) => validity.badInput).map(({ name }) => [name, unreadable]),
  )
}
