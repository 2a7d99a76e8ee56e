import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from 'zod/mini'
import { unexpectedError } from '#domain/auth.ts'
import { fieldErrors } from '#domain/field-errors.ts'
import { isUnreachable, unreachableReason } from '#lib/errors.ts'
import type { Failure } from './form-failure.tsx'

type AuthFields = { email: string; password: string; confirmPassword: string }
const empty: AuthFields = { email: '', password: '', confirmPassword: '' }

/** Translates a message of the service. */
type Explain = (message: string) => string
const asAnswered: Explain = (message) => message || unexpectedError

/** The fields of a form on /auth, with one error message for the whole form. */
export function useAuthForm(email = '') {
  const form = useForm<AuthFields>({ initialValues: { ...empty, email } })
  const [isPending, setIsPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  /** Checks the fields and returns their values; null when some are invalid, which show their errors. */
  function check<Schema extends z.ZodMiniType>(schema: Schema): z.output<Schema> | null {
    setFailure(null)
    const errors = fieldErrors(schema, form.values)
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (!first) return schema.parse(form.values)
    // The form of a dialog comes last in the document.
    const inputs = document.querySelectorAll<HTMLInputElement>(`form input[name="${first}"]`)
    ;[...inputs].at(-1)?.focus()
    return null
  }

  /** Runs an action of the form and shows its failure; a lost connection has its own message. */
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
  async function submit<Schema extends z.ZodMiniType>(
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
  // Only these errors have a message of the service; others have the raw JSON.
  const isAnswer =
    error instanceof Error && /^Auth(Api|WeakPassword|SessionMissing)Error$/.test(error.name)
  return { message: explain(isAnswer && !error.message.startsWith('{') ? error.message : '') }
}
