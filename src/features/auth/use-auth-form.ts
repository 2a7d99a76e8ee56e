import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from 'zod'
import { unexpectedError } from '#domain/auth.ts'
import { fieldErrors } from '#domain/field-errors.ts'
import { isUnreachable, unreachableReason } from '#lib/errors.ts'
import type { Failure } from './form-failure.tsx'

type AuthFields = { email: string; password: string; confirmPassword: string }
const empty: AuthFields = { email: '', password: '', confirmPassword: '' }

/** Puts what the service answered into words. */
type Explain = (message: string) => string
const asAnswered: Explain = (message) => message || unexpectedError

/** Fields that keep what was typed, whatever happens, and one message for the whole form. */
export function useAuthForm(email = '') {
  const form = useForm<AuthFields>({ initialValues: { ...empty, email } })
  const [isPending, setIsPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  /** The values of the fields; null where some are wrong, which then show their errors. */
  function check<Schema extends z.ZodType>(schema: Schema): z.output<Schema> | null {
    setFailure(null)
    const errors = fieldErrors(schema, form.values)
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (!first) return schema.parse(form.values)
    // A form that stands over others comes last in the document.
    const inputs = document.querySelectorAll<HTMLInputElement>(`form input[name="${first}"]`)
    ;[...inputs].at(-1)?.focus()
    return null
  }

  /** Runs an action of the form and tells how it failed; a connection that is gone has words of its own. */
  async function run(action: () => Promise<void>, explain = asAnswered): Promise<void> {
    if (isPending) return
    setFailure(null)
    setIsPending(true)
    try {
      await action()
    } catch (error) {
      setFailure(inWords(error, explain))
    } finally {
      setIsPending(false)
    }
  }

  /** Checks the fields with a schema and, when they are good, runs the action. */
  async function submit<Schema extends z.ZodType>(
    schema: Schema,
    action: (values: z.output<Schema>) => Promise<void>,
    explain?: Explain,
  ): Promise<void> {
    const values = isPending ? null : check(schema)
    if (values) await run(() => action(values), explain)
  }

  return { form, isPending, failure, setFailure, check, run, submit }
}

export function inWords(error: unknown, explain = asAnswered): Failure {
  if (isUnreachable(error)) return { message: unexpectedError, reason: unreachableReason(error) }
  // Only these carry the service's own words; an answer without any comes as its JSON.
  const isAnswer =
    error instanceof Error && /^Auth(Api|WeakPassword|SessionMissing)Error$/.test(error.name)
  return { message: explain(isAnswer && !error.message.startsWith('{') ? error.message : '') }
}
