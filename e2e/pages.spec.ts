import { expect, expectNoSidewaysScroll, test } from './fixtures.ts'

for (const [name, target] of [
  ['Log in', '/auth'],
  ['Sign up', '/auth?tab=signup'],
] as const) {
  test(`${name} on the landing page leads to ${target}`, async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveTitle('Solo CRM')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(target)
    await expect(page.getByRole('heading', { name: 'Solo CRM' })).toBeVisible()
  })
}

test('the landing page needs no script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL('/auth?tab=signup')
  await context.close()
})

test('the landing page loads no script but the one for the links of mails', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('script')).toHaveCount(1)
  const size = await page.evaluate(async () => {
    const source = document.querySelector('script')?.src ?? ''
    return (await (await fetch(source)).text()).length
  })
  expect(size).toBeLessThan(1000)
})

test('Go to Home Page leads to the landing page', async ({ page }) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Go to Home Page' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
})

for (const path of ['/no/such/page', '/auth/nope', '/app/nope', '/app/deep/er']) {
  test(`any other path, ${path}, redirects to /`, { tag: '@once' }, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
  })
}

test('a missing asset is not found', { tag: '@once' }, async ({ request }) => {
  for (const path of ['/assets/gone-12345678.js', '/gone.png']) {
    expect((await request.get(path, { maxRedirects: 0 })).status()).toBe(404)
  }
})

for (const path of ['/', '/auth', '/app/dashboard']) {
  test(`${path} keeps to its Content-Security-Policy`, async ({ page, signUp, signIn }) => {
    if (path.startsWith('/app/')) await signIn(await signUp())
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
      })
    })
    const answer = await page.goto(path)
    expect(answer?.headers()['content-security-policy']).toContain("script-src 'self'")
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  })
}

test('the landing page is accessible, light and dark', async ({ page, scan }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await scan()
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

test('nothing sticks out on the narrowest phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  for (const path of ['/', '/auth', '/auth?tab=signup', '/auth?view=forgot']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoSidewaysScroll(page)
  }
})
