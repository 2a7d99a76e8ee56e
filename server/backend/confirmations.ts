import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AuthMailer } from '../mail/auth-mailer.ts'
import type { Mender } from './menders.ts'

const bodySchema = z.object({
  email: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** A second mail goes out after this long at the earliest. */
const pause = '60 seconds'

/**
 * Where sign-ups must be confirmed, the library refuses with 429 both to send the mail again and to
 * sign up with an address that has an account. The first strands whoever lost the mail; the second
 * tells strangers which addresses have accounts. Here the mail is sent again, if there is still
 * something to confirm, and everyone gets the answer that a new address gets.
 */
export function mendConfirmations(connection: Connection, mailer: AuthMailer): Mender {
  async function sendAgain(email: string): Promise<void> {
    const code = randomBytes(16).toString('hex')
    const token = createHash('sha256')
      .update(email + code)
      .digest('hex')
    const { rows } = await sql<{ id: string }>`
      update auth.users set confirmation_token = ${token}, confirmation_sent_at = ${new Date().toISOString()}
      where email = ${email} and confirmed_at is null
        and (confirmation_sent_at is null or confirmation_sent_at::timestamptz < now() - ${pause}::interval)
      returning id`.execute(connection.kysely)
    if (rows.length > 0) await mailer.sendConfirmation(email, token, code)
  }

  return {
    wants(request) {
      const { pathname } = new URL(request.url)
      return request.method === 'POST' && /^\/auth\/v1\/(signup|resend)\/?$/.test(pathname)
    },
    async mend({ request, body, response }) {
      if (response.status !== 429) return response
      const known = bodySchema.safeParse(JSON.parse(body))
      if (!known.success) return response
      const email = known.data.email.toLowerCase()
      await sendAgain(email)
      const isSignUp = new URL(request.url).pathname.includes('/signup')
      return Response.json(isSignUp ? newcomer(email, known.data.data ?? {}) : {})
    },
  }
}

/** A user as the library shows one that has just signed up; this one does not exist. */
function newcomer(email: string, data: Record<string, unknown>): object {
  const now = new Date().toISOString()
  const id = randomUUID()
  const details = { ...data, email, email_verified: false, phone_verified: false, sub: id }
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: details,
    identities: [
      {
        identity_id: randomUUID(),
        id,
        user_id: id,
        identity_data: details,
        provider: 'email',
        last_sign_in_at: now,
        created_at: now,
        updated_at: now,
        email,
      },
    ],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
    confirmation_sent_at: now,
  }
}
