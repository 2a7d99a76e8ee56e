import { expect, expectNoSidewaysScroll, schemes, test } from './fixtures.ts'

test('the landing page leads to the sign-in', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Solo CRM')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const name of ['Log in', 'Sign up']) {
    await page.goto('/')
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL('/auth')
    await expect(page.getByRole('heading', { name: 'Solo CRM' })).toBeVisible()
  }
})

test('the landing page needs no script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
  await expect(page.locator('script')).toHaveCount(0)
  await context.close()
})

for (const path of ['/auth', '/app', '/app/anything', '/app/deep/er']) {
  test(`${path} opens the app, which leads home`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL(path)
    await page.getByRole('link', { name: 'Go to Home Page' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
  })
}

test('an unknown path leads to the landing page', async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page).toHaveURL('/')
})

test('a missing asset is not found', async ({ request }) => {
  for (const path of ['/assets/gone-12345678.js', '/gone.png']) {
    expect((await request.get(path, { maxRedirects: 0 })).status()).toBe(404)
  }
})

for (const path of ['/', '/auth', '/app/anything']) {
  test(`${path} keeps to its Content-Security-Policy`, async ({ page }) => {
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

for (const path of ['/', '/auth', '/app/anything']) {
  for (const colorScheme of schemes) {
    test(`${path} is accessible, ${colorScheme}`, async ({ page, scan }) => {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await scan()
    })
  }
}

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
  for (const path of ['/', '/auth', '/app/anything']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoSidewaysScroll(page)
  }
})
