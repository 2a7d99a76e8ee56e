import { z } from 'zod/mini'

const email = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter your email address.'),
    z.maxLength(254, 'This email address is too long.'),
    z.regex(/^[^\s@]+@[^\s@]+$/, 'Enter a valid email address, such as ada@example.com.'),
  )

/** The authentication service ignores everything after this length. */
const maxPasswordLength = 72
export const minPasswordLength = 6

/** Told beside the field before it is broken. */
export const passwordRule = `At least ${minPasswordLength} characters`

const newPassword = z
  .string()
  .check(
    z.minLength(minPasswordLength, 'Password must be at least 6 characters long.'),
    z.maxLength(maxPasswordLength, 'Password can have at most 72 characters.'),
    z.regex(/\S/, 'Password can’t be only spaces.'),
  )

/** Reports two different passwords before any other problem with them. */
function comparedFirst<Fields extends { password: string; confirmPassword: string }>(
  fields: Fields,
  context: z.core.$RefinementCtx<Fields>,
): void {
  if (fields.password !== fields.confirmPassword) {
    context.addIssue({
      code: 'custom',
      path: ['confirmPassword'],
      message: 'Passwords do not match.',
    })
    return
  }
  const result = newPassword.safeParse(fields.password)
  const [issue] = result.error?.issues ?? []
  if (issue) context.addIssue({ code: 'custom', path: ['password'], message: issue.message })
}

/** The login form. It accepts any password, because an account may come from elsewhere. */
export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, 'Enter your password.')),
})

export const signUpSchema = z
  .object({ email, password: z.string(), confirmPassword: z.string() })
  .check(z.superRefine(comparedFirst))

/** A new password, after the link of a recovery mail. */
export const newPasswordSchema = z
  .object({ password: z.string(), confirmPassword: z.string() })
  .check(z.superRefine(comparedFirst))

export const mailAddressSchema = z.object({ email })

export const unexpectedError = 'An unexpected error occurred. Please try again.'

/** Translates the authentication service's message at sign-in. */
export function signInMessage(message: string): string {
  if (message.includes('Invalid login credentials')) {
    return 'Invalid email or password. Please check your credentials and try again.'
  }
  if (isUnconfirmed(message)) {
    return 'Please check your email and click the confirmation link before signing in.'
  }
  return message || unexpectedError
}

/** Whether a sign-in failed only because the address is not confirmed. */
export function isUnconfirmed(message: string): boolean {
  return message.includes('Email not confirmed')
}

/** Translates the authentication service's message at sign-up. */
export function signUpMessage(message: string): string {
  if (message.includes('User already registered')) {
    return 'An account with this email already exists. Please sign in instead.'
  }
  return message || unexpectedError
}

/**
 * The address to open after sign-in, if it is safe: a path under /app/ that no browser can read as another host.
 */
export function returnPath(wanted: string | null): string | null {
  if (!wanted || !/^\/app\/[^\\]*$/.test(wanted)) return null
  const base = 'http://solo.invalid'
  if (!URL.canParse(wanted, base)) return null
  const url = new URL(wanted, base)
  if (url.origin !== base || !url.pathname.startsWith('/app/')) return null
  return url.pathname + url.search + url.hash
}

const mailLinkSchema = z.object({
  token_hash: z.string().check(z.minLength(1)),
  type: z.enum(['signup', 'email', 'recovery', 'email_change', 'magiclink', 'invite']),
})

export type MailLink = z.infer<typeof mailLinkSchema>

/** Reads the parameters of a mail's link; null when there are none. */
export function readMailLink(parameters: URLSearchParams): MailLink | null {
  return mailLinkSchema.safeParse(Object.fromEntries(parameters)).data ?? null
}

export const voidLink =
  'This link is no longer valid. It was used, replaced by a newer email or has expired.'

/** The error that a mail's link returned, in words; null when it returned none. */
export function linkProblem(parameters: URLSearchParams): string | null {
  const isUnreadable = parameters.has('token_hash') && !readMailLink(parameters)
  if (!isUnreadable && !parameters.has('error') && !parameters.has('error_code')) return null
  if (parameters.get('error_code') === 'otp_expired') return voidLink
  return parameters.get('error_description') || 'This link could not be used.'
}
