import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { AuthMailer } from '../mail/auth-mailer.ts'
import type { ResponseFix } from './response-fixes.ts'

const bodySchema = z.object({
  email: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** The pause before a second mail to one address. */
const pauseSeconds = 60

/**
 * Where sign-ups must be confirmed, the library answers 429 to a request for another mail and to a sign-up with
 * an address that has an account. The first leaves a user without the mail; the second reveals which addresses
 * have accounts. This sends the mail again, if the address still needs confirmation, and always answers as for a
 * new address. A second request within a minute gets the answer to wait, whether or not there is an account.
 */
export function fixConfirmations(connection: Connection, mailer: AuthMailer): ResponseFix {
  const asked = new RateLimiterMemory({ points: 1, duration: pauseSeconds })

  async function secondsToWait(email: string): Promise<number> {
    const known = await asked.get(keyOf(email))
    return known ? Math.ceil(known.msBeforeNext / 1000) : 0
  }

  async function sendAgain(email: string): Promise<void> {
    const code = randomBytes(16).toString('hex')
    const token = createHash('sha256')
      .update(email + code)
      .digest('hex')
    const { rows } = await sql<{ id: string }>`
      update auth.users set confirmation_token = ${token}, confirmation_sent_at = ${new Date().toISOString()}
      where email = ${email} and confirmed_at is null
        and (confirmation_sent_at is null or confirmation_sent_at::timestamptz < now() - make_interval(secs => ${pauseSeconds}))
      returning id`.execute(connection.kysely)
    const [account] = rows
    if (account) await mailer.sendConfirmation(email, token, code, { userId: account.id })
  }

  return {
    appliesTo: (route) => /^POST \/auth\/v1\/(signup|resend)$/.test(route),
    async apply({ request, body, response }) {
      if (!response.ok && response.status !== 429) return response
      const known = bodySchema.safeParse(JSON.parse(body))
      if (!known.success) return response
      const email = known.data.email.toLowerCase()
      const isSignUp = new URL(request.url).pathname.includes('/signup')
      const wait = await secondsToWait(email)
      if (wait > 0 && !isSignUp) return tooSoon(wait)
      if (response.status === 429) await sendAgain(email)
      // Start the minute after the mail, so that it does not end before the mail's own pause.
      if (wait <= 0) await asked.set(keyOf(email), 1, pauseSeconds)
      if (response.ok) return response
      return Response.json(isSignUp ? fakeUser(email, known.data.data ?? {}) : {})
    },
  }
}

/** Hashed, so that the memory holds no list of e-mail addresses. */
function keyOf(email: string): string {
  return createHash('sha256').update(email).digest('base64url')
}

function tooSoon(seconds: number): Response {
  return Response.json(
    {
      code: 429,
      error_code: 'over_email_send_rate_limit',
      msg: `You can ask for another mail in ${seconds} seconds.`,
    },
    { status: 429, headers: { 'Retry-After': String(seconds) } },
  )
}

/** A user as the library returns it after a sign-up; this one does not exist. */
function fakeUser(email: string, data: Record<string, unknown>): object {
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
