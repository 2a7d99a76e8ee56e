import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })

async function tokenOf({ client }: User, scope: string, name: string): Promise<string> {
  const { data, error } = await client.rpc('create_access_token', { name, scope })
  expect(error).toBeNull()
  return (data as { token: string }).token
}

async function call(request: APIRequestContext, token: string, name: string, data: object) {
  const answer = await request.post(`/api/v1/${name}`, {
    headers: { authorization: `Bearer ${token}` },
    data,
  })
  return { status: answer.status(), json: await answer.json() }
}

test('assistants are connected, seen at work, and stopped', async ({
  step,
  longStep,
  page,
  request,
  enter,
  scan,
}) => {
  await step('a token is made, shown once, used and revoked', async () => {
    await enter('/app/settings')
    await page.getByRole('link', { name: 'Manage connections' }).click()
    await expect(page.getByText(/^No tokens yet/)).toBeVisible()
    await scan()
    await button(page, 'New token').click()
    const form = page.getByRole('dialog', { name: 'New access token' })
    await button(form, 'Create token').click()
    await expect(form.getByText('Name is required.')).toBeVisible()
    await form.getByRole('textbox', { name: 'Name' }).fill('Claude')
    await expect(form.getByRole('radio', { name: 'Read and propose' })).toBeChecked()
    await form.getByRole('radio', { name: 'Read and write' }).check()
    await scan(form, { contrast: true })
    await button(form, 'Create token').click()
    const made = page.getByRole('dialog', { name: 'Your new token' })
    const token = await made.getByRole('textbox', { name: 'Access token' }).inputValue()
    expect(token).toMatch(/^solo_[0-9a-f]{64}$/)
    await scan(made, { contrast: true })
    await button(made, 'Done').click()
    await expect(page.getByText(token)).toHaveCount(0)
    await expect(page.getByText('Never used')).toBeVisible()

    const { status } = await call(request, token, 'save_company', { fields: { name: 'Acme' } })
    expect(status).toBe(200)
    await page.reload()
    await expect(page.getByText(/^Last used just now from /)).toBeVisible()
    await button(page, 'Revoke Claude').click()
    await button(page.getByRole('dialog', { name: 'Revoke “Claude”?' }), 'Revoke').click()
    await expect(page.getByText('Revoked', { exact: true })).toBeVisible()
    const refused = await call(request, token, 'about', {})
    expect([refused.status, refused.json.code]).toEqual([401, 'revoked_token'])
    await button(page, 'Remove Claude').click()
    await expect(page.getByText(/^No tokens yet/)).toBeVisible()
  })

  await longStep('what it did stands under its name, with Undo', async () => {
    const user = await enter('/app/settings/connections')
    const token = await tokenOf(user, 'write', 'Claude')
    const { json } = await call(request, token, 'save_company', { fields: { name: 'Acme' } })
    await call(request, token, 'save_company', { id: json.id, fields: { name: 'Acme Ltd' } })
    await visit(page, '/app/dashboard')
    const activity = page.getByRole('region', { name: 'Recent Activity' })
    await expect(activity.getByText('Claude · Changed company Acme Ltd')).toBeVisible()
    await visit(page, `/app/companies/${json.id}`)
    await expect(page.getByText('Claude · Name changed from Acme to Acme Ltd')).toBeVisible()
    await button(page, 'Undo: Claude').first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Acme', exact: true })).toBeVisible()
  })

  await longStep('what it proposes waits in the panel and on the record', async () => {
    const user = await enter('/app/settings/connections')
    const token = await tokenOf(user, 'propose', 'Careful')
    const { data } = await user.client
      .from('companies')
      .insert({ name: 'Acme' })
      .select('id')
      .single()
    const id = data?.id ?? ''
    for (const fields of [{ name: 'Acme Ltd' }, { industry: 'Robots' }]) {
      expect((await call(request, token, 'save_company', { id, fields })).status).toBe(202)
    }
    expect(
      (await call(request, token, 'quick_add', { line: 'new task Water plants' })).status,
    ).toBe(202)
    // Loaded anew: no news arrive here of what was proposed meanwhile.
    await page.goto(`/app/companies/${id}`)
    const onRecord = page.getByRole('region', { name: 'Proposals' })
    await expect(onRecord.getByRole('listitem')).toHaveCount(2)
    await scan(onRecord, { contrast: true })
    await onRecord
      .getByRole('listitem')
      .filter({ hasText: 'Robots' })
      .getByRole('button', { name: /^Decline/ })
      .click()
    await expect(onRecord.getByRole('listitem')).toHaveCount(1)
    await expect(onRecord.getByRole('definition')).toHaveText('Acme › Acme Ltd')
    await onRecord.getByRole('button', { name: /^Approve/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Acme Ltd' })).toBeVisible()
    await expect(onRecord).toHaveCount(0)

    await button(page, 'Notifications').click()
    const panel = page.getByRole('dialog', { name: 'Notifications' })
    const inPanel = panel.getByRole('region', { name: 'Proposals' })
    await expect(inPanel.getByText('Careful · Add task Water plants')).toBeVisible()
    await scan(panel, { contrast: true })
    await inPanel.getByRole('button', { name: /^Decline/ }).click()
    await expect(inPanel).toHaveCount(0)
    await button(panel, 'Close').click()
    const { data: left } = await user.client.from('companies').select('name, industry')
    expect(left).toEqual([{ name: 'Acme Ltd', industry: null }])
  })

  await longStep('a webhook is added, tried, paused and deleted', async () => {
    await enter('/app/settings/connections')
    const panel = page.getByRole('region', { name: 'Webhooks' })
    await expect(panel.getByText(/^No webhooks yet/)).toBeVisible()
    await button(panel, 'Add webhook').click()
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await button(form, 'Add webhook').click()
    await expect(form.getByText('Address is required.')).toBeVisible()
    // Inside our own network: it is refused, and so nobody is asked.
    const url = 'http://127.0.0.1:8099/hook'
    await form.getByRole('textbox', { name: 'Address' }).fill(url)
    await form.getByRole('checkbox', { name: 'Record updated' }).uncheck()
    await scan(form, { contrast: true })
    await button(form, 'Add webhook').click()
    const made = page.getByRole('dialog', { name: 'Webhook added' })
    await expect(made.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_.{44}$/)
    await scan(made, { contrast: true })
    await button(made, 'Done').click()
    await button(panel, `Deliveries to ${url}`).click()
    const deliveries = page.getByRole('dialog', { name: 'Deliveries' })
    await expect(deliveries.getByText(/^Nothing sent yet/)).toBeVisible()
    await button(deliveries, 'Send a test').click()
    await expect(deliveries.getByText('Failed', { exact: true })).toBeVisible()
    await expect(deliveries.getByText(/^The address leads into a private network/)).toBeVisible()
    await button(deliveries, 'Details of test').click()
    await expect(deliveries.getByText('"type": "test"')).toBeVisible()
    await scan(deliveries, { contrast: true })
    await button(deliveries, 'Send again: test').click()
    await expect(deliveries.getByText(/2 tries/)).toBeVisible()
    await page.keyboard.press('Escape')
    await button(panel, `More for ${url}`).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await expect(panel.getByText('Paused', { exact: true })).toBeVisible()
    await button(panel, `Resume ${url}`).click()
    await expect(panel.getByText('Paused', { exact: true })).toHaveCount(0)
    await button(panel, `More for ${url}`).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await button(page.getByRole('dialog', { name: 'Delete this webhook?' }), 'Delete').click()
    await expect(panel.getByText(/^No webhooks yet/)).toBeVisible()
  })

  await longStep('the interface can be read, on a phone too', async () => {
    await enter('/app/settings/connections/interface')
    await expect(page.getByRole('region', { name: 'Move a deal' })).toBeVisible()
    await scan()
    const size = page.viewportSize() ?? { width: 0, height: 0 }
    await page.setViewportSize({ width: 360, height: 640 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(size)
    const described = await request.get('/api/v1/openapi.json')
    expect((await described.json()).openapi).toBe('3.1.0')
  })
})
