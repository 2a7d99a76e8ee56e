import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from 'zod'
import { unexpectedError } from '#domain/auth.ts'
import { fieldErrors } from '#domain/field-errors.ts'
import { isUnreachable, unreachable } from '#lib/errors.ts'

type AuthFields = { email: string; password: string; confirmPassword: string }
const empty: AuthFields = { email: '', password: '', confirmPassword: '' }

/** Fields that keep what was typed, whatever happens, and one message for the whole form. */
export function useAuthForm(email = '') {
  const form = useForm<AuthFields>({ initialValues: { ...empty, email } })
  const [isPending, setIsPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  /**
   * Checks the fields with a schema and, when they are good, runs the action. `explain` puts what the
   * service answered into words; a connection that is gone has its own.
   */
  async function submit<Schema extends z.ZodType>(
    schema: Schema,
    action: (values: z.output<Schema>) => Promise<void>,
    explain: (message: string) => string = (message) => message || unexpectedError,
  ): Promise<void> {
    if (isPending) return
    setFailure(null)
    const errors = fieldErrors(schema, form.values)
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first) {
      document.querySelector<HTMLInputElement>(`form input[name="${first}"]`)?.focus()
      return
    }
    setIsPending(true)
    try {
      await action(schema.parse(form.values))
    } catch (error) {
      setFailure(inWords(error, explain))
    } finally {
      setIsPending(false)
    }
  }

  return { form, isPending, failure, setFailure, submit }
}

function inWords(error: unknown, explain: (message: string) => string): string {
  if (isUnreachable(error)) return unreachable
  // Only these carry the service's own words; an answer without any comes as its JSON.
  const isAnswer =
    error instanceof Error && /^Auth(Api|WeakPassword|SessionMissing)Error$/.test(error.name)
  return explain(isAnswer && !error.message.startsWith('{') ? error.message : '')
}
