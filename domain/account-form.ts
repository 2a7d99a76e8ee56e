import { z } from 'zod'
import { mailAddressSchema, newPasswordSchema } from './auth.ts'

const currentPassword = z.string().min(1, 'Enter your current password.')

/** A new password, with the current one as proof. */
export const passwordChangeSchema = z
  .object({ currentPassword, password: z.string(), confirmPassword: z.string() })
  .superRefine((values, context) => {
    for (const issue of newPasswordSchema.safeParse(values).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message })
    }
  })

/** A new address, with the password as proof. */
export function emailChangeSchema(current: string) {
  return z
    .object({ email: mailAddressSchema.shape.email, currentPassword })
    .refine(({ email }) => email.toLowerCase() !== current.toLowerCase(), {
      path: ['email'],
      message: 'This is already your email address.',
    })
}

/** The display name; empty means the part of the address before @. */
export const displayNameSchema = z.object({
  display_name: z.string().trim().max(200, 'A name can have at most 200 characters.'),
})

/** The account's own address, typed by hand before everything is deleted. */
export function deletionSchema(current: string) {
  return z.object({
    address: z
      .string()
      .trim()
      .refine((address) => address.toLowerCase() === current.toLowerCase(), {
        message: 'This isn’t your account’s email address.',
      }),
  })
}
