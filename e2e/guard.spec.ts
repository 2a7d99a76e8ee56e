import type { Page } from '@playwright/test'
import { field, fill, submit } from './auth-form.ts'
import { expect, failedRequests, sessionKey, type User } from './fixtures.ts'
import { follow, test } from './journey.ts'

const screens = ['Dashboard', 'Contacts', 'Companies', 'Deals', 'Reports', 'Tasks', 'Settings']
const pathOf = (screen: string) => `/app/${screen.toLowerCase()}`

/** Answers nothing to requests of this address until told to. */
async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await held
    await route.continue()
  })
  return release
}

function expired({ session }: User): Pick<User, 'session'> {
  return { session: { ...session, expires_at: Math.floor(Date.now() / 1000) - 60 } }
}

/** Ends a session at the backend only, as if done on another device. */
async function revoke({ session, client }: User): Promise<void> {
  const { error } = await client.auth.admin.signOut(session.access_token, 'global')
  expect(error).toBeNull()
}

test.describe('Protected area', () => {
  test.use({ expectedErrors: failedRequests })
  test('Protected area guard', async ({ step, page, signUp }) => {
    await step('while redirecting, the text Redirecting to login... shows', async () => {
      const release = await hold(page, '**/assets/auth-page-*.js')
      await page.goto('/app/contacts')
      await expect(page.getByText('Redirecting to login...', { exact: true })).toBeVisible()
      release()
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      await expect(page.getByText('Redirecting to login...')).toHaveCount(0)
    })
    await step(
      'a visitor with no signed-in user is sent to /auth from every screen, and there after signing in',
      async () => {
        const { email, password } = await signUp()
        for (const screen of screens) {
          await follow(page, pathOf(screen))
          await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(pathOf(screen))}`)
          await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
        }
        await expect(page).toHaveTitle('Sign in · Solo CRM')
        // The wanted address is kept whole, also through the other tab and the forgotten password.
        const wanted = '/app/deals?view=board&q=a%20b#top'
        await follow(page, wanted)
        await page.getByRole('tab', { name: 'Sign Up' }).click()
        await page.getByRole('tab', { name: 'Login' }).click()
        await page.getByRole('button', { name: 'Forgot your password?' }).click()
        await page.getByRole('button', { name: 'Back to login' }).click()
        await fill(page, { Email: email, Password: password })
        await submit(page, 'Sign In')
        await expect(page).toHaveURL(wanted)
        await expect(page.getByRole('heading', { name: 'Deals', exact: true })).toBeVisible()
      },
    )
    await step('/app index redirects to /app/dashboard', async () => {
      await follow(page, '/app')
      await expect(page).toHaveURL('/app/dashboard')
      await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
    })
    await step('the kept address is only ever a path under /app/', async () => {
      // What else is no such path: domain/auth.test.ts.
      await page.goto(`/auth?next=${encodeURIComponent('//evil.example/app/')}`)
      await expect(page).toHaveURL('/app/dashboard')
      await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
    })
    await step('any other path redirects to / for a signed-in user too', async () => {
      await page.goto('/app/nope')
      await expect(page).toHaveURL('/')
    })
  })
})

test.describe('Protected area guard', () => {
  test.use({ expectedErrors: failedRequests })

  test('while loading, a spinner with the text Loading... shows, and only then the visitor is sent to /auth', async ({
    page,
    signUp,
    signIn,
  }) => {
    const user = await signUp()
    await signIn(expired(user))
    await revoke(user)
    const release = await hold(page, '**/auth/v1/token?grant_type=refresh_token')
    await page.goto('/app/contacts')
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    await expect(page.getByRole('status').locator('.mantine-Loader-root')).toBeVisible()
    await expect(page).toHaveURL('/app/contacts')
    release()
    await expect(page).toHaveURL('/auth?next=%2Fapp%2Fcontacts')
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  })
})

test.describe('a tampered session in local storage', () => {
  test.use({ expectedErrors: failedRequests })

  const far = 4_000_000_000
  const user = { id: '0b8f7e3a-0000-4000-8000-000000000000', email: 'forged@example.com' }
  const tokens = { token_type: 'bearer', expires_in: 3600, refresh_token: 'forged' }
  const alike = { ...tokens, access_token: forgedToken(far), expires_at: far, user }

  test('is told to sign in, at /auth, which then works', async ({ page, signUp }) => {
    const { email, password } = await signUp()
    await page.goto('/auth')
    for (const [what, text] of [
      // What has another shape: src/lib/client-library.test.ts.
      ['garbage', '}{ not JSON'],
      ['a forged token that reads like one', JSON.stringify(alike)],
    ] as const) {
      const item = [sessionKey, text] as const
      await page.evaluate(([key, value]) => localStorage.setItem(key, value), item)
      await page.goto('/app/contacts')
      await expect(page, what).toHaveURL('/auth?next=%2Fapp%2Fcontacts')
      await expect(field(page, 'Email')).toBeVisible()
    }
    await fill(page, { Email: email, Password: password })
    await submit(page, 'Sign In')
    await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
  })
})

function forgedToken(exp: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { sub: '0b8f7e3a-0000-4000-8000-000000000000', role: 'authenticated', exp }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${'x'.repeat(43)}`
}

test.describe('Auth', () => {
  test.use({ expectedErrors: failedRequests })
  test('Auth state', async ({ step, longStep, begin, page, signUp, signIn, enter }) => {
    await step(
      'initial session and token refreshed: an expired access token is renewed on the way in',
      async () => {
        const user = await signUp()
        await signIn(expired(user))
        const refreshed = page.waitForResponse(/grant_type=refresh_token/)
        await page.goto('/app/contacts')
        await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
        expect((await refreshed).status()).toBe(200)
      },
    )
    await step('a server that is away at the start does not sign out', async () => {
      await begin(await signUp(), '/app/reports')
      await page.route('**/auth/v1/**', (route) => route.abort())
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
    })
    await step(
      'a session that was ended elsewhere shows when the user comes back to the window',
      async () => {
        // Both ways to come back are asked once, and nothing happens while it is good:
        // src/features/auth/auth-provider.test.tsx.
        const user = await enter('/app/reports')
        await revoke(user)
        // While one question is out no second one is asked: the user may have to come back once more.
        await expect(async () => {
          await page.evaluate(() => window.dispatchEvent(new Event('focus')))
          await expect(page).toHaveURL('/auth?next=%2Fapp%2Freports', { timeout: 2000 })
        }).toPass()
        await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      },
    )
    await longStep(
      'signed in, token refreshed, user updated, password recovery, multi-factor challenge verified: follows what the authentication service says in another window',
      async () => {
        const { session } = await enter()
        for (const event of [
          'SIGNED_IN',
          'TOKEN_REFRESHED',
          'USER_UPDATED',
          'PASSWORD_RECOVERY',
          'MFA_CHALLENGE_VERIFIED',
        ]) {
          const email = `${event.toLowerCase()}@example.com`
          const renamed = { event, session: { ...session, user: { ...session.user, email } } }
          const tell = () =>
            // The channel over which the client library tells the other windows.
            page.evaluate(([key, message]) => new BroadcastChannel(key).postMessage(message), [
              sessionKey,
              renamed,
            ] as const)
          // The library comes after the first screen has read its data; what it then finds stored counts.
          await expect(async () => {
            await tell()
            await expect(page.getByRole('navigation').getByText(email)).toBeVisible({
              timeout: 2000,
            })
          }).toPass()
          await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
        }
      },
    )
  })
})

test.describe('Auth state', () => {
  // The code of the session comes after the first screen: where the hour is over before it is there, it says so itself.
  test.use({
    expectedErrors: [/Failed to load resource|AuthApiError: Invalid Refresh Token/],
  })

  test('a session that was ended elsewhere and has expired shows when it is to be refreshed', async ({
    page,
    signUp,
    signIn,
  }) => {
    const user = await signUp()
    await signIn(user)
    await page.clock.install()
    await page.goto('/app/reports')
    await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
    await revoke(user)
    await page.clock.fastForward('01:00:00')
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  })
})
