import { randomUUID } from 'node:crypto'
import { expectFailure, expectFieldError, field, fill, submit } from './auth-form.ts'
import { expect, expectNoSidewaysScroll, failedRequests, sessionKey } from './fixtures.ts'
import { test } from './journey.ts'
import { settled } from './requests.ts'
import { addRow } from './rows.ts'

const unexpected = 'An unexpected error occurred. Please try again.'
const unreachable = 'The server can’t be reached. Check your connection.'
const newAddress = () => `${randomUUID()}@example.com`

test('the forms: two tabs, what they ask for, and what they refuse', async ({
  step,
  longStep,
  page,
  signUp,
  scan,
}) => {
  const main = page.getByRole('main')
  await step('two tabs: login and signup', async () => {
    await page.goto('/auth')
    await expect(page).toHaveTitle('Sign in · Solo CRM')
    await expect(page.getByRole('tab')).toHaveText(['Login', 'Sign Up'])
    await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
    await expect(field(page, 'Confirm Password')).toHaveCount(0)
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await expect(field(page, 'Confirm Password')).toBeVisible()
    await expect(page).toHaveURL('/auth?tab=signup')
    await page.getByRole('tab', { name: 'Login' }).click()
    await expect(field(page, 'Confirm Password')).toHaveCount(0)
    await expect(page).toHaveURL('/auth')
  })
  await step('a show/hide password toggle is shared by the password fields', async () => {
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    const passwords = [field(page, 'Password'), field(page, 'Confirm Password')]
    await fill(page, { Password: 'abc', 'Confirm Password': 'xyz' })
    await expect(page.getByRole('button', { name: /password$/i })).toHaveCount(1)
    for (const each of passwords) await expect(each).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    for (const each of passwords) await expect(each).toHaveAttribute('type', 'text')
    await page.getByRole('tab', { name: 'Login' }).click()
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(field(page, 'Password')).toHaveAttribute('type', 'password')
    await expect(field(page, 'Password')).toHaveValue('abc')
  })
  await step('password managers are served', async () => {
    await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'username')
    await expect(field(page, 'Password')).toHaveAttribute('autocomplete', 'current-password')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'username')
    for (const label of ['Password', 'Confirm Password']) {
      await expect(field(page, label)).toHaveAttribute('autocomplete', 'new-password')
    }
  })
  await step('Sign-up: passwords must match, and they are compared first', async () => {
    await fill(page, { Email: 'nonsense', Password: 'abc', 'Confirm Password': 'abd' })
    await submit(page, 'Sign Up')
    await expectFieldError(page, 'Confirm Password', 'Passwords do not match.')
    await test.step('sign-up is accessible', () => scan(main))
    await expect(page.getByText('Password must be at least 6 characters long.')).toHaveCount(0)
    await expectFieldError(page, 'Email', 'Enter a valid email address, such as ada@example.com.')
    await expect(field(page, 'Email')).toBeFocused()
    await fill(page, { 'Confirm Password': 'abc' })
    await submit(page, 'Sign Up')
    await expectFieldError(page, 'Password', 'Password must be at least 6 characters long.')
    await expect(field(page, 'Confirm Password')).not.toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'Password')).toHaveValue('abc')
  })
  await step(
    'Email and password required on both forms; email field is of email type; confirm password required; minimum length 6',
    async () => {
      await page.getByRole('tab', { name: 'Login' }).click()
      await fill(page, { Email: '', Password: '' })
      await expect(field(page, 'Email')).toHaveAttribute('type', 'email')
      for (const label of ['Email', 'Password']) {
        await expect(field(page, label)).toHaveAttribute('required')
      }
      // An account from elsewhere may have any password.
      await expect(field(page, 'Password')).not.toHaveAttribute('minlength')
      await submit(page, 'Sign In')
      await expectFieldError(page, 'Email', 'Enter your email address.')
      await expectFieldError(page, 'Password', 'Enter your password.')
      await expect(field(page, 'Email')).toBeFocused()
      await test.step('login is accessible, light and dark', () => scan())

      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expect(page.getByText('Enter your email address.')).toHaveCount(0)
      await expect(field(page, 'Email')).toHaveAttribute('type', 'email')
      for (const label of ['Email', 'Password', 'Confirm Password']) {
        await expect(field(page, label)).toHaveAttribute('required')
      }
      for (const label of ['Password', 'Confirm Password']) {
        await expect(field(page, label)).toHaveAttribute('minlength', '6')
      }
      await fill(page, { 'Confirm Password': '' })
      await submit(page, 'Sign Up')
      await expectFieldError(page, 'Email', 'Enter your email address.')
      await expectFieldError(page, 'Password', 'Password must be at least 6 characters long.')
    },
  )
  await longStep(
    'a 300-character e-mail, passwords of spaces and of 1,000 characters are refused in words, and stay typed',
    async () => {
      const long = `${'a'.repeat(288)}@example.com`
      await page.getByRole('tab', { name: 'Login' }).click()
      await fill(page, { Email: long, Password: 'secret' })
      await submit(page, 'Sign In')
      await expectFieldError(page, 'Email', 'This email address is too long.')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await fill(page, { Password: ' '.repeat(8), 'Confirm Password': ' '.repeat(8) })
      await submit(page, 'Sign Up')
      await expectFieldError(page, 'Email', 'This email address is too long.')
      await expectFieldError(page, 'Password', 'Password can’t be only spaces.')
      await expect(field(page, 'Email')).toHaveValue(long)
      const endless = 'a'.repeat(1000)
      await fill(page, { Password: endless, 'Confirm Password': endless })
      await submit(page, 'Sign Up')
      await expectFieldError(page, 'Password', 'Password can have at most 72 characters.')
      await expect(field(page, 'Password')).toHaveValue(endless)
    },
  )
  await longStep('keyboard alone reaches everything', async () => {
    const { email, password } = await signUp()
    await page.goto('/auth')
    await expect(field(page, 'Email')).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field(page, 'Email')).toBeFocused()
    const button = (name: string) => page.getByRole('button', { name })
    for (const next of [
      field(page, 'Password'),
      field(page, 'Confirm Password'),
      button('Show password'),
      button('Sign Up'),
      button('Go to Home Page'),
    ]) {
      await page.keyboard.press('Tab')
      await expect(next).toBeFocused()
    }
    await page.getByRole('tab', { name: 'Sign Up' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button('Sign In')).toBeVisible()
    await expect(field(page, 'Email')).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Tab')
    await expect(button('Show password')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
    for (const name of ['Sign In', 'Forgot your password?', 'Go to Home Page']) {
      await page.keyboard.press('Tab')
      await expect(button(name)).toBeFocused()
    }
    await field(page, 'Password').press('Enter')
    await expect(page).toHaveURL('/app/dashboard')
  })
})

test.describe('Errors', () => {
  test.use({ expectedErrors: failedRequests })
  test('Sign-in and sign-up errors', async ({ step, longStep, page, signUp, scan }) => {
    const main = page.getByRole('main')
    await step(
      'Invalid login credentials → Invalid email or password. Please check your credentials and try again.',
      async () => {
        const { email } = await signUp()
        await page.goto('/auth')
        await fill(page, { Email: email, Password: 'not-the-password' })
        await submit(page, 'Sign In')
        await expectFailure(
          page,
          'Invalid email or password. Please check your credentials and try again.',
        )
        await expect(field(page, 'Email')).toHaveValue(email)
        await expect(field(page, 'Password')).toHaveValue('not-the-password')
        await test.step('a failure is accessible', () => scan(main, { contrast: true }))
        // What was said is taken back with the next attempt.
        await fill(page, { Password: '' })
        await submit(page, 'Sign In')
        await expect(page.getByRole('alert')).toHaveCount(0)
      },
    )
    await longStep('any other error shows the server message', async () => {
      await page.route('**/auth/v1/token?*', (route) =>
        route.fulfill({
          status: 429,
          json: {
            code: 429,
            error_code: 'over_request_rate_limit',
            msg: 'Too many attempts. Please wait 10 minutes and try again.',
          },
        }),
      )
      await fill(page, { Email: 'ada@example.com', Password: 'secret-1' })
      await submit(page, 'Sign In')
      await expectFailure(page, 'Too many attempts. Please wait 10 minutes and try again.')
      await expect(field(page, 'Password')).toHaveValue('secret-1')
    })
    // Which answers are unexpected: domain/auth.test.ts.
    await longStep(`an unexpected failure, an answer that is no JSON → ${unexpected}`, async () => {
      await page.route(/\/auth\/v1\/(token|signup)\?/, (route) =>
        route.fulfill({ status: 400, body: '<html>Bad gateway</html>' }),
      )
      await submit(page, 'Sign In')
      await expectFailure(page, unexpected)
      await expect(field(page, 'Email')).toHaveValue('ada@example.com')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await fill(page, { 'Confirm Password': 'secret-1' })
      await submit(page, 'Sign Up')
      await expectFailure(page, unexpected)
    })
    await step(
      'User already registered → An account with this email already exists. Please sign in instead.',
      async () => {
        const { email } = await signUp()
        await page.getByRole('tab', { name: 'Sign Up' }).click()
        await fill(page, { Email: email, Password: 'secret-1', 'Confirm Password': 'secret-1' })
        await submit(page, 'Sign Up')
        await expectFailure(
          page,
          'An account with this email already exists. Please sign in instead.',
        )
        await expect(field(page, 'Confirm Password')).toHaveValue('secret-1')
      },
    )
    await longStep('other server messages shown as is', async () => {
      const msg = 'Signups not allowed for this instance'
      await page.route('**/auth/v1/signup?*', (route) =>
        route.fulfill({ status: 422, json: { code: 422, error_code: 'signup_disabled', msg } }),
      )
      await fill(page, {
        Email: newAddress(),
        Password: 'secret-1',
        'Confirm Password': 'secret-1',
      })
      await submit(page, 'Sign Up')
      await expectFailure(page, msg)
    })
    await step('asks for the address and says the same whether it has an account', async () => {
      await page.getByRole('tab', { name: 'Login' }).click()
      await fill(page, { Email: 'nobody@example.com' })
      await page.getByRole('button', { name: 'Forgot your password?' }).click()
      await expect(page).toHaveTitle('Forgot your password? · Solo CRM')
      await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
      await expect(field(page, 'Email')).toHaveValue('nobody@example.com')
      await expect(field(page, 'Email')).toBeFocused()
      await fill(page, { Email: '' })
      await submit(page, 'Send the link')
      await expectFieldError(page, 'Email', 'Enter your email address.')
      await fill(page, { Email: 'nobody@example.com' })
      await submit(page, 'Send the link')
      await expect(page.getByRole('status')).toContainText(
        'If nobody@example.com has an account, we’ve sent it a link.',
      )
      await test.step('the forgotten password is accessible', () => scan(main))
      await submit(page, 'Back to login')
      await expect(page).toHaveTitle('Sign in · Solo CRM')
      await expect(page).toHaveURL('/auth')
    })
    await longStep(
      'the network gone while signing in is said in words, and the typed text is still there',
      async () => {
        const { email, password } = await signUp()
        await fill(page, { Email: email, Password: password })
        await page.route('**/auth/v1/token?*', (route) => route.abort())
        await submit(page, 'Sign In')
        await expectFailure(page, unexpected, unreachable)
        await expect(field(page, 'Email')).toHaveValue(email)
        await expect(field(page, 'Password')).toHaveValue(password)
        await page.unroute('**/auth/v1/token?*')
        await submit(page, 'Sign In')
        await expect(page).toHaveURL('/app/dashboard')
      },
    )
  })
})

test('The calls it makes', async ({ step, page, baseURL, enter, signUp }) => {
  const dashboard = page.getByRole('heading', { name: 'Welcome back', level: 1 })
  async function signOut(): Promise<void> {
    // What is asked for in the moment of leaving would be refused, and the browser would say so.
    await settled(page)
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()
    await expect(field(page, 'Email')).toBeFocused()
    await expect(page).toHaveURL('/auth')
  }
  await step(
    "keeps the session in the browser's local storage, sends the access token and gets the current authenticated user",
    async () => {
      const { session, email } = await enter()
      const asked = page.waitForRequest('**/auth/v1/user')
      // Not at the start, which waits for nobody, but when the user comes back to the window.
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      const request = await asked
      expect(await request.headerValue('authorization')).toBe(`Bearer ${session.access_token}`)
      expect(await request.headerValue('apikey')).toBeTruthy()
      const kept = await page.evaluate((key) => localStorage.getItem(key), sessionKey)
      expect(JSON.parse(kept ?? '')).toMatchObject({ user: { email } })
    },
  )
  await step('if a session appears, the user is redirected to /app/dashboard', async () => {
    await signOut()
    const { email, session } = await signUp()
    // As the client library of another window says it.
    await page.evaluate(
      ([key, kept]) => {
        localStorage.setItem(key, JSON.stringify(kept))
        const others = new BroadcastChannel(key)
        others.postMessage({ event: 'SIGNED_IN', session: kept })
        others.close()
      },
      [sessionKey, session] as const,
    )
    await expect(page).toHaveURL('/app/dashboard')
    await expect(dashboard).toBeVisible()
    await expect(page.getByText(email, { exact: true }).first()).toBeVisible()
  })
  await step(
    'Sign in with password: email, password; the button says Signing in... meanwhile, and a double click sends one request',
    async () => {
      await signOut()
      const { email, password } = await signUp()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const bodies: unknown[] = []
      await page.route('**/auth/v1/token?grant_type=password', async (route) => {
        bodies.push(route.request().postDataJSON())
        await held
        await route.continue()
      })
      await fill(page, { Email: ` ${email} `, Password: password })
      await page.getByRole('button', { name: 'Sign In' }).dblclick()
      const button = page.getByRole('button', { name: 'Signing in...' })
      await expect(button).toBeVisible()
      await field(page, 'Password').press('Enter')
      release()
      await expect(page).toHaveURL('/app/dashboard')
      expect(bodies).toEqual([expect.objectContaining({ email, password })])
    },
  )
  await step(
    'a sign-up that gives a session leads to /app/dashboard, with no text about a link',
    async () => {
      await signOut()
      const email = newAddress()
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await fill(page, { Email: email, Password: 'secret-1', 'Confirm Password': 'secret-1' })
      const sent = page.waitForRequest('**/auth/v1/signup?*')
      await page.getByRole('button', { name: 'Sign Up' }).dblclick()
      await test.step('Sign up: email, password, and a redirect option back to the site root', async () => {
        const request = await sent
        expect(new URL(request.url()).searchParams.get('redirect_to')).toBe(`${baseURL}/`)
        expect(request.postDataJSON()).toMatchObject({ email, password: 'secret-1' })
      })
      await expect(page).toHaveURL('/app/dashboard')
      await expect(dashboard).toBeVisible()
      await expect(page.getByText('confirmation link')).toHaveCount(0)
    },
  )
  await step(
    'if a session already exists, as after a sign-up, the user is redirected to /app/dashboard',
    async () => {
      await page.goto('/auth?tab=signup')
      await expect(page).toHaveURL('/app/dashboard')
      await expect(dashboard).toBeVisible()
    },
  )
})

test.describe('The calls it makes', () => {
  test('refreshes the access token automatically: a check every 30 seconds, when 90 seconds or less remain', async ({
    page,
    signUp,
    signIn,
  }) => {
    const { session } = await signUp()
    await page.clock.install()
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
    await signIn({ session: { ...session, expires_at: inSeconds(140) } })
    let refreshes = 0
    page.on('request', (request) => {
      if (request.url().includes('grant_type=refresh_token')) refreshes += 1
    })
    await page.goto('/app/dashboard')
    await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
    expect(refreshes).toBe(0)
    const refreshed = page.waitForResponse(/grant_type=refresh_token/)
    await page.clock.fastForward(31_000)
    expect((await refreshed).status()).toBe(200)
    await expect
      .poll(() => page.evaluate((key) => localStorage.getItem(key), sessionKey))
      .not.toContain(session.refresh_token)
    await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
  })
})

test.describe('local storage forbidden', () => {
  test('is said in words, and sign-in works until the tab closes', { tag: '@long' }, async ({
    page,
    signUp,
    scan,
  }) => {
    const user = await signUp()
    const { email, password } = user
    await addRow(user, 'contacts', { first_name: 'Ada' })
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError')
          },
        })
      }
    })
    await page.goto('/auth')
    await expect(page.getByText('You’ll be signed out when you close this tab')).toBeVisible()
    await expect(
      page.getByText('Your browser blocks storage, so Solo CRM can’t keep you signed in.'),
    ).toBeVisible()
    await scan(page.getByRole('main'), { contrast: true })
    await fill(page, { Email: email, Password: password })
    await submit(page, 'Sign In')
    await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await expect(
      page.getByRole('main').getByRole('link', { name: 'Ada', exact: true }),
    ).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  })
})

test('nothing sticks out at 360 px with a 60-character e-mail address and messages shown', {
  tag: '@phone',
}, async ({ page, scan }) => {
  const email = `${'w'.repeat(48)}@example.com`
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/auth')
  await fill(page, { Email: email, Password: '' })
  await submit(page, 'Sign In')
  await expectFieldError(page, 'Password', 'Enter your password.')
  await expectNoSidewaysScroll(page)
  await scan()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await submit(page, 'Sign Up')
  await expectFieldError(page, 'Password', 'Password must be at least 6 characters long.')
  await expectNoSidewaysScroll(page)
  await page.getByRole('tab', { name: 'Login' }).click()
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await submit(page, 'Send the link')
  await expect(page.getByRole('status')).toContainText(email)
  await expectNoSidewaysScroll(page)
})
