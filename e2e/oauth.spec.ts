import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { test } from './journey.ts'

/** A program on this machine that waits for the browser to come back. */
async function waitForBrowser() {
  const visits: URL[] = []
  const server = createServer((request, response) => {
    visits.push(new URL(request.url ?? '', 'http://127.0.0.1'))
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Back</title><h1>Back in the app</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const back = () => visits.findLast(({ pathname }) => pathname === '/callback')
  return { address: `http://127.0.0.1:${port}/callback`, back, stop: () => server.close() }
}

// A wrong password, which the browser notes.
test.use({ expectedErrors: [/status of 422/] })

test('a web assistant is connected by its owner, works, and is revoked', {
  tag: '@phone-long',
}, async ({ step, longStep, page, scan, request, enter, browser }) => {
  const { email, password } = await enter('/app/settings/connections')
  const app = await waitForBrowser()
  const verifier = randomBytes(32).toString('base64url')
  const registered = await request.post('/oauth/register', {
    // Another port than the one it waits at: programs take whichever is free.
    data: { client_name: 'Claude', redirect_uris: ['http://127.0.0.1:1/callback'] },
  })
  const { client_id } = await registered.json()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: app.address,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'kept',
  })
  const consent = `/oauth/authorize?${query}`
  const context = await browser.newContext({ javaScriptEnabled: false })
  const visitor = await context.newPage()
  const button = (within: Page, name: string) => within.getByRole('button', { name, exact: true })

  await step('says who asks and where it returns, and can be declined', async () => {
    await visitor.goto(consent)
    await expect(visitor.getByRole('heading', { name: 'Connect Claude?' })).toBeVisible()
    await expect(visitor.getByText('(not verified)')).toBeVisible()
    await expect(visitor.getByText('this device')).toBeVisible()
    await expect(visitor.getByRole('radio', { name: 'Read and propose' })).toBeChecked()
    await expectNoSidewaysScroll(visitor)
    await button(visitor, 'Cancel').click()
    await expect(visitor.getByRole('heading', { name: 'Back in the app' })).toBeVisible()
    expect(app.back()?.searchParams.get('error')).toBe('access_denied')
  })

  await longStep(
    'can be read and worked by everyone, light and dark, also with a refusal',
    async () => {
      await page.goto(consent)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await scan(undefined, { contrast: true })
      }
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('wrong')
      await button(page, 'Allow').click()
      await expect(page.getByRole('alert')).toBeVisible()
      await scan(undefined, { contrast: true })
    },
  )

  await step('a wrong password keeps what was chosen', async () => {
    await visitor.goto(consent)
    await visitor.getByRole('radio', { name: 'Read and write' }).check()
    await visitor.getByLabel('Email').fill(email)
    await visitor.getByLabel('Password').fill('wrong')
    await button(visitor, 'Allow').click()
    await expect(visitor.getByRole('alert')).toHaveText(
      'Wrong email or password. Nothing was connected yet.',
    )
    await expect(visitor.getByLabel('Email')).toHaveValue(email)
    await expect(visitor.getByLabel('Password')).toHaveValue('')
    await expect(visitor.getByRole('radio', { name: 'Read and write' })).toBeChecked()
  })

  await step('the right one leads back with a code', async () => {
    await visitor.getByLabel('Password').fill(password)
    await button(visitor, 'Allow').click()
    await expect(visitor.getByRole('heading', { name: 'Back in the app' })).toBeVisible()
    expect(app.back()?.searchParams.get('state')).toBe('kept')
    const answer = await request.post('/oauth/token', {
      form: {
        grant_type: 'authorization_code',
        client_id,
        code: app.back()?.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: app.address,
      },
    })
    expect((await answer.json()).scope).toBe('read propose write')
  })

  await step('stands among the connections until it is revoked', async () => {
    await page.goto('/app/settings/connections')
    await expect(
      page.getByText(/^Connected app, this device · Never used · Expires unless/),
    ).toBeVisible()
    await button(page, 'Revoke Claude').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(page.getByText('Revoked', { exact: true })).toBeVisible()
  })
  expect(await context.cookies()).toEqual([])
  await context.close()
  app.stop()
})
