import { hash, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { eventually, linkIn, onAnyDatabase } from './harness.ts'

const password = 'secret-1'

onAnyDatabase(
  (database) => {
    async function ask(path: string, body?: object): Promise<Response> {
      const { backend } = database()
      const request = new Request(`http://127.0.0.1:3000/auth/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { apikey: backend.publicKey, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
        redirect: 'manual',
      })
      return backend.fetch(request, null)
    }

    const mailsTo = (email: string) => database().mails.filter((mail) => mail.to === email)

    /** What the press on the page does that the link of a mail leads to. */
    async function follow(email: string, index = -1) {
      const answer = await ask('verify', linkIn(mailsTo(email).at(index)))
      const body: { access_token?: string; error_code?: string } = await answer.json()
      return { status: answer.status, ...body }
    }

    /** Nobody waits a minute here: the server's clock is put forward, and the database's stamp back. */
    async function passMinute(email: string): Promise<void> {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
      await database().query(
        "update auth.users set confirmation_sent_at = now() - interval '2 minutes' where email = ?",
        email,
      )
    }
    afterEach(() => void vi.useRealTimers())

    /** Follows the newest link so many minutes after its mail, by the server's clock. */
    async function followLate(email: string, minutes: number) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
      const answer = await follow(email)
      vi.useRealTimers()
      return answer
    }

    async function signUp(email = `${randomUUID()}@example.com`) {
      const response = await ask('signup', { email, password })
      return { email, status: response.status, body: await response.json() }
    }

    describe('a sign-up that must be confirmed', () => {
      test('gives no session but a mail whose link gives one, once', async () => {
        const { email, status, body } = await signUp()
        expect(status).toBe(200)
        expect(body).not.toHaveProperty('access_token')
        expect(mailsTo(email)).toHaveLength(1)
        expect((await ask('token?grant_type=password', { email, password })).status).toBe(400)

        expect((await follow(email)).access_token).toBeTruthy()
        expect((await ask('token?grant_type=password', { email, password })).status).toBe(200)
        expect(await follow(email)).toMatchObject({ status: 403, error_code: 'otp_expired' })
      })

      test('is sent again on demand, and then only the new link works', async () => {
        const { email } = await signUp()
        await passMinute(email)
        expect((await ask('resend', { type: 'signup', email: email.toUpperCase() })).status).toBe(
          200,
        )
        expect(mailsTo(email)).toHaveLength(2)
        expect((await follow(email, 0)).error_code).toBe('otp_expired')
        expect((await follow(email, 1)).access_token).toBeTruthy()
      })

      test('has a link that is good for an hour, and another one can be had', async () => {
        const [early, late] = [await signUp(), await signUp()]
        expect((await followLate(early.email, 58)).access_token).toBeTruthy()
        expect((await followLate(late.email, 61)).error_code).toBe('otp_expired')
        await passMinute(late.email)
        await ask('resend', { type: 'signup', email: late.email })
        expect(mailsTo(late.email)).toHaveLength(2)
        expect((await follow(late.email)).access_token).toBeTruthy()
      })

      test('is not sent again within a minute, and the answer says how long that is', async () => {
        const { email } = await signUp()
        const answer = await ask('resend', { type: 'signup', email })
        expect(answer.status).toBe(429)
        const seconds = Number(answer.headers.get('retry-after'))
        expect(seconds).toBeGreaterThan(30)
        expect(seconds).toBeLessThanOrEqual(60)
        expect(await answer.json()).toEqual({
          code: 429,
          error_code: 'over_email_send_rate_limit',
          msg: `You can ask for another mail in ${seconds} seconds.`,
        })
        expect(mailsTo(email)).toHaveLength(1)
        await passMinute(email)
        expect((await ask('resend', { type: 'signup', email })).status).toBe(200)
        expect(mailsTo(email)).toHaveLength(2)
        expect((await ask('resend', { type: 'signup', email })).status).toBe(429)
        expect(mailsTo(email)).toHaveLength(2)
      })

      test('by the same address again looks like the first, and sends the mail again', async () => {
        const first = await signUp()
        await passMinute(first.email)
        const second = await signUp(first.email)
        expect(mailsTo(first.email)).toHaveLength(2)
        expect(second.status).toBe(first.status)
        expect(shape(second.body)).toEqual(shape(first.body))
      })

      test('does not tell whether an address has an account', async () => {
        const first = await signUp()
        await follow(first.email)
        const again = await signUp(first.email)
        expect(mailsTo(first.email)).toHaveLength(1)
        expect(again.status).toBe(first.status)
        expect(shape(again.body)).toEqual(shape(first.body))
        // The password of the account stays what it was.
        const { email } = first
        await ask('signup', { email, password: 'another-1' })
        expect((await ask('token?grant_type=password', { email, password })).status).toBe(200)

        const stranger = `${randomUUID()}@example.com`
        await passMinute(email)
        for (const status of [200, 429]) {
          const nobody = await ask('resend', { type: 'signup', email: stranger })
          const somebody = await ask('resend', { type: 'signup', email })
          expect([nobody.status, somebody.status]).toEqual([status, status])
          expect(await somebody.text()).toBe(await nobody.text())
        }
      })
    })

    // A million hashes take four seconds.
    test.runIf(isLong)(
      'a link’s token cannot be found by trying all codes of six digits',
      async () => {
        const { email } = await signUp()
        await follow(email)
        await ask('recover', { email })
        const [row] = await database().query<{ recovery_token: string }>(
          'select recovery_token from auth.users where email = ?',
          email,
        )
        expect(row?.recovery_token).toMatch(/^[0-9a-f]{64}$/)
        for (let code = 0; code < 1_000_000; code++) {
          const guess = hash('sha256', email + String(code).padStart(6, '0'))
          if (guess === row?.recovery_token) throw new Error(`The code is ${code}.`)
        }
      },
    )

    test('the link for a new password is good for an hour and for one press', async () => {
      const { email } = await signUp()
      await follow(email)
      await ask('recover', { email })
      expect((await followLate(email, 61)).error_code).toBe('otp_expired')
      expect((await followLate(email, 58)).access_token).toBeTruthy()
      expect((await follow(email)).error_code).toBe('otp_expired')
    })

    test('an address without an account gets no link for a new password, and the answer is the same', async () => {
      const { email } = await signUp()
      await follow(email)
      const stranger = `${randomUUID()}@example.com`
      const [nobody, somebody] = [
        await ask('recover', { email: stranger }),
        await ask('recover', { email }),
      ]
      expect(nobody.status).toBe(somebody.status)
      expect(await nobody.text()).toBe(await somebody.text())
      expect(mailsTo(stranger)).toHaveLength(0)
      expect(mailsTo(email)).toHaveLength(2)
    })

    test('a new password is set from the link of a mail', async () => {
      const { email } = await signUp()
      await follow(email)
      expect((await ask('recover', { email })).status).toBe(200)
      expect(linkIn(mailsTo(email).at(-1)).type).toBe('recovery')
      const { access_token } = await follow(email)
      const { backend } = database()
      const changed = await backend.fetch(
        new Request('http://127.0.0.1:3000/auth/v1/user', {
          method: 'PUT',
          headers: {
            apikey: backend.publicKey,
            authorization: `Bearer ${access_token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ password: 'another-1' }),
        }),
        null,
      )
      expect(changed.status).toBe(200)
      expect((await ask('token?grant_type=password', { email, password })).status).toBe(400)
      expect(
        (await ask('token?grant_type=password', { email, password: 'another-1' })).status,
      ).toBe(200)
    })
  },
  { confirmEmail: true },
)

onAnyDatabase(
  (database) => {
    test('while the mail server is down every letter is promised, kept and sent later', async () => {
      const { anonymous, connect, mailServer, mails, query } = database()
      const subjects = () => mails.map(({ subject }) => subject).sort()
      const signUp = (email: string) => anonymous.auth.signUp({ email, password })
      const [newcomer, confirmed] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
      await signUp(confirmed)
      await eventually(() => expect(mails).toHaveLength(1))
      const client = connect()
      await client.auth.verifyOtp(linkIn(mails.pop()))

      mailServer.isDown = true
      const unknown = await signUp(newcomer)
      expect(unknown).toMatchObject({ error: null, data: { session: null } })
      expect(await signUp(confirmed)).toMatchObject({ error: null, data: { session: null } })
      for (const email of [confirmed, `${randomUUID()}@example.com`]) {
        expect((await anonymous.auth.resetPasswordForEmail(email)).error).toBeNull()
      }
      const changed = await client.auth.updateUser({ email: `${randomUUID()}@example.com` })
      expect(changed.error).toBeNull()
      await eventually(async () => {
        const waiting = await query(
          "select from private.jobs where kind = 'letter' and tries = 1 and claim is null",
        )
        expect(waiting).toHaveLength(3)
      })

      mailServer.isDown = false
      await query(
        "update private.jobs set due_at = now() - interval '1 second' where kind = 'letter'",
      )
      // Whatever is sent next takes along what is due.
      await signUp(`${randomUUID()}@example.com`)
      await eventually(() =>
        expect(subjects()).toEqual([
          'Confirm your email address for Solo CRM',
          'Confirm your email address for Solo CRM',
          'Confirm your new email address for Solo CRM',
          'Set a new password for Solo CRM',
        ]),
      )
      const late = mails.find(({ to }) => to === newcomer)
      expect((await connect().auth.verifyOtp(linkIn(late))).data.session).not.toBeNull()
    })
  },
  { confirmEmail: true, hasMailServer: true },
)

/** The names and kinds of an answer, without its values. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
}
