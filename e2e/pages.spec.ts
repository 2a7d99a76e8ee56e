import { expect, test } from './fixtures.ts'

test('what leads to the landing page', async ({ page, step }) => {
  await step('Go to Home Page leads to the landing page', async () => {
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Go to Home Page' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: 'The CRM for a team of one.' })).toBeVisible()
  })
  for (const path of ['/no/such/page', '/auth/nope', '/app/deep/er']) {
    await step(`any other path, ${path}, redirects to /`, async () => {
      await page.goto(path)
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { name: 'The CRM for a team of one.' })).toBeVisible()
    })
  }
})

test('a missing asset is not found', async ({ request }) => {
  for (const path of ['/assets/gone-12345678.js', '/gone.png']) {
    expect((await request.get(path, { maxRedirects: 0 })).status()).toBe(404)
  }
})

test('every page keeps to its Content-Security-Policy', async ({ page, step, signUp, signIn }) => {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  for (const path of ['/', '/auth', '/app/dashboard']) {
    await step(`${path} keeps to its Content-Security-Policy`, async () => {
      if (path.startsWith('/app/')) await signIn(await signUp())
      const answer = await page.goto(path)
      expect(answer?.headers()['content-security-policy']).toContain("script-src 'self'")
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
    })
  }
})

test('the app has the dark ground from its first paint on', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  // Without its script the page shows what a visitor sees before it has loaded.
  await page.route('**/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await page.goto('/auth')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(15, 16, 20)')
})
