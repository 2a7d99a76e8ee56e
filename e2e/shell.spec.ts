import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectToast, fill, submit } from './auth-form.ts'
import { expect, expectNoSidewaysScroll, failedRequests } from './fixtures.ts'
import { isLong } from './is-long.ts'
import { test } from './journey.ts'
import { emptyCache, hold, settled } from './requests.ts'
import { addRow } from './rows.ts'
import { keepToasts } from './toasts.ts'

const screens = ['Dashboard', 'Contacts', 'Companies', 'Deals', 'Reports', 'Tasks', 'Settings']
const titles: Record<string, string> = { Dashboard: 'Welcome back', Tasks: 'Task Management' }
const clientFolder = 'dist/client'

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const topBar = (page: Page) => page.getByRole('banner')
const account = (page: Page) => page.getByRole('button', { name: 'Account menu' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** In the page, before anything else runs there: notes which script asks for what. */
function noteWhoAsks(): void {
  const ask = window.fetch
  window.asked = []
  window.fetch = (request, ...more) => {
    const { pathname: path } = new URL(String(request), window.location.href)
    const by = document.currentScript?.getAttribute('src')?.slice(1) ?? 'the app'
    window.asked.push({ path, by })
    return ask(request, ...more)
  }
}

declare global {
  interface Window {
    asked: { path: string; by: string }[]
  }
}

/** The scripts that the page has asked for so far, by file name. */
function watchScripts(page: Page): string[] {
  const scripts: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.push(pathname)
  })
  return scripts
}

/** Tells how often the script of a part has been asked for so far. */
function loadedParts(page: Page): (part: string) => number {
  const scripts = watchScripts(page)
  return (part) => scripts.filter((path) => path.startsWith(`/assets/${part}-`)).length
}

test('Top bar and sidebar', async ({ step, longStep, page, enter, signUp, begin }) => {
  await step('an avatar circle showing the first letter of the email, or U', async () => {
    const { session } = await signUp()
    const { email: _, ...user } = session.user
    await begin({ session: { ...session, user } }, '/app/dashboard')
    await expect(account(page)).toHaveText('U')
  })
  await step(
    'Sidebar entries: Dashboard, Contacts, Companies, Deals, Reports, Tasks (each under /app/), Settings (/app/settings) and a Sign Out button',
    async () => {
      const { email } = await enter()
      await test.step("the sidebar shows the signed-in user's email, the avatar its first letter", async () => {
        await expect(account(page)).toHaveText(email.slice(0, 1).toUpperCase())
        await expect(sidebar(page).getByText(email, { exact: true })).toBeVisible()
      })
      await expect(sidebar(page).getByRole('link')).toHaveText(screens)
      const signOut = sidebar(page).getByRole('button', { name: 'Sign Out' })
      await expect(signOut).toBeVisible()
      await test.step('its foot stays within it', async () => {
        const [foot, whole] = [await signOut.boundingBox(), await sidebar(page).boundingBox()]
        expect(foot?.width).toBeLessThan(whole?.width ?? 0)
      })
      for (const name of screens) {
        await sidebar(page).getByRole('link', { name }).click()
        await expect(heading(page, titles[name] ?? name)).toBeVisible()
        await expect(page).toHaveURL(`/app/${name.toLowerCase()}`)
        await expect(page).toHaveTitle(`${name} · Solo CRM`)
      }
      await page.goBack()
      await expect(heading(page, 'Task Management')).toBeVisible()
      await expect(sidebar(page).getByRole('link', { name: 'Tasks' })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await expect(sidebar(page).locator('[aria-current]')).toHaveCount(1)
    },
  )
  await longStep('keyboard alone reaches everything', async () => {
    await enter()
    // A page that was just loaded, on which nothing has the focus yet.
    await page.reload()
    await expect(heading(page, 'Welcome back')).toBeVisible()
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await skip.focus()
    const seen: string[] = []
    await expect(topBar(page).getByRole('button', { name: 'Task feed, 0 tasks' })).toBeVisible()
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press('Tab')
      seen.push(
        await page.evaluate(() => {
          const element = document.activeElement
          const isMarked = element && getComputedStyle(element).outlineStyle !== 'none'
          const name = element?.getAttribute('aria-label') ?? element?.textContent ?? ''
          return isMarked ? name : `${name}, without a mark of the focus`
        }),
      )
    }
    const controls = [
      'Quick ActionsCtrl K',
      'Search',
      'Task feed, 0 tasks',
      'Notifications',
      'Sign Out',
      'Account menu',
    ]
    expect(seen.toSorted()).toEqual([...controls, ...screens, 'Sign Out'].toSorted())

    await sidebar(page).getByRole('link', { name: 'Deals' }).focus()
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Deals')).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()

    for (const _ of ['when its code has to come', 'when it is there']) {
      await account(page).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await expect(account(page)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')

    await topBar(page).getByRole('button', { name: 'Sign Out' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/auth')
  })
})

test('a toast that still stands covers nothing of a dialog opened after it on the phone, and its Undo can be pressed', {
  tag: '@phone',
}, async ({ page, signUp, signIn }) => {
  const user = await signUp()
  const id = await addRow(user, 'companies', { name: 'Acme' })
  await signIn(user)
  await keepToasts(page)
  await page.goto(`/app/companies/${id}`)
  await page.getByRole('button', { name: 'Delete company' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Company deleted successfully' })
  const undo = toast.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeInViewport({ ratio: 1 })
  const dialog = page.getByRole('dialog')
  async function expectApart(): Promise<void> {
    await expect(toast).toBeInViewport({ ratio: 1 })
    await expect
      .poll(async () => {
        const [above, below] = [await toast.boundingBox(), await dialog.boundingBox()]
        return above && below && above.y + above.height <= below.y
      })
      .toBe(true)
  }
  for (const opener of [/^Search/, /^Open menu/]) {
    await page.getByRole('button', { name: opener }).click()
    await expectApart()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Add Company' }).first().click()
  await expectApart()
  await expect(dialog.getByRole('button', { name: 'Add Company' })).toBeInViewport({ ratio: 1 })
  await undo.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Undone' })).toBeInViewport({ ratio: 1 })
  // What was being written goes on.
  await expect(dialog.getByLabel('Company Name *')).toBeFocused()
})

test.describe('on a phone the sidebar is a drawer', { tag: '@phone' }, () => {
  test.use({ expectedErrors: failedRequests })

  const drawer = (page: Page) => page.getByRole('dialog')
  const opener = (page: Page) => page.getByRole('button', { name: 'Open menu' })

  test('the drawer', async ({ step, page, enter, signUp, begin, scan }) => {
    await step(
      'that opens, closes by Escape, its button and by choosing an entry; the focus returns',
      async () => {
        await enter()
        await expect(sidebar(page)).toHaveCount(0)
        for (const when of ['when its code has to come', 'when it is there']) {
          await opener(page).focus()
          await page.keyboard.press('Enter')
          await expect(drawer(page)).toBeVisible()
          await expect(drawer(page)).toHaveAccessibleName('Menu')
          await expect(drawer(page).locator(':focus')).toHaveCount(1)
          if (when === 'when it is there') {
            await test.step('the drawer is accessible', () => scan(drawer(page)))
          }
          await page.keyboard.press('Escape')
          await expect(drawer(page)).toHaveCount(0)
          await expect(opener(page)).toBeFocused()
        }
        await opener(page).click()
        await drawer(page).getByRole('button', { name: 'Close menu' }).click()
        await expect(drawer(page)).toHaveCount(0)
        await expect(opener(page)).toBeFocused()
        await opener(page).click()
        await drawer(page).getByRole('link', { name: 'Contacts' }).click()
        await expect(drawer(page)).toHaveCount(0)
        await expect(heading(page, 'Contacts')).toBeVisible()
        await expect(page.getByRole('main')).toBeFocused()
        await opener(page).click()
        await drawer(page).getByRole('link', { name: 'Contacts' }).click()
        await expect(drawer(page)).toHaveCount(0)
      },
    )
    await step('that keeps the keyboard inside', async () => {
      await opener(page).click()
      await expect(drawer(page).locator(':focus')).toHaveCount(1)
      for (let step = 0; step < screens.length + 4; step++) {
        await page.keyboard.press('Tab')
        await expect(drawer(page).locator(':focus')).toHaveCount(1)
      }
      await page.keyboard.press('Escape')
      await expect(drawer(page)).toHaveCount(0)
    })
    await step('whose foot no toast covers', async () => {
      await page.route('**/auth/v1/logout*', (route) =>
        route.fulfill({ status: 500, json: { code: 500, msg: 'boom' } }),
      )
      await opener(page).click()
      const signOut = drawer(page).getByRole('button', { name: 'Sign Out' })
      await signOut.click()
      await expect(page.getByRole('alert')).toHaveText(/Failed to sign out/)
      // A press that something covers would not come through.
      await signOut.click()
      await page.setViewportSize({ width: 360, height: 640 })
      await signOut.click()
      // The same failure is told once.
      await expect(page.getByRole('alert')).toHaveCount(1)
      await drawer(page).getByRole('button', { name: 'Close menu' }).click()
      await expect(drawer(page)).toHaveCount(0)
    })
    await step('nothing sticks out at 360 px with a 60-character e-mail address', async () => {
      const { session } = await signUp()
      const email = `${'w'.repeat(48)}@example.com`
      await page.setViewportSize({ width: 360, height: 640 })
      await begin({ session: { ...session, user: { ...session.user, email } } }, '/app/dashboard')
      await expect(heading(page, 'Welcome back')).toBeVisible()
      await expectNoSidewaysScroll(page)
      await account(page).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expect(page.getByRole('menu').getByText(email)).toBeInViewport({ ratio: 1 })
      await expectNoSidewaysScroll(page)
      await page.keyboard.press('Escape')
      await opener(page).click()
      await expect(drawer(page).getByRole('button', { name: 'Sign Out' })).toBeInViewport()
      await expect(drawer(page).getByText(email)).toBeInViewport({ ratio: 1 })
      await expectNoSidewaysScroll(page)
    })
  })
})

test.describe('Leaving', () => {
  test.use({ expectedErrors: failedRequests })
  test('Sign-out, and the accessibility scan of the shell with every menu and toast open', async ({
    step,
    longStep,
    page,
    enter,
    signUp,
    scan,
  }) => {
    const first = await enter('/app/deals')
    await longStep('the account menu is accessible', async () => {
      await account(page).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await scan(page.getByRole('menu'))
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
    })
    await step(
      'from the sidebar, failed: toast Error / Failed to sign out. Please try again., and still signed in',
      async () => {
        await page.route('**/auth/v1/logout*', (route) =>
          route.fulfill({ status: 500, json: { code: 500, msg: 'boom' } }),
        )
        await sidebar(page).getByRole('button', { name: 'Sign Out' }).click()
        await expectToast(page, 'Error', 'Failed to sign out. Please try again.')
        await expect(page).toHaveURL('/app/deals')
        await expect(sidebar(page).getByRole('button', { name: 'Sign Out' })).toBeEnabled()
        await test.step('the shell, and a toast of a failure, light and dark', () => scan())
      },
    )
    await step('who could not leave goes on', async () => {
      await sidebar(page).getByRole('link', { name: 'Contacts' }).click()
      await expect(heading(page, 'Contacts')).toBeVisible()
    })
    await step('what the next account sees is its own', async () => {
      const second = await signUp()
      // What is asked for in the moment of leaving would be refused, and the browser would say so.
      await settled(page)
      await test.step('from the sidebar: toast Signed out / You have been successfully signed out.', async () => {
        await sidebar(page).getByRole('button', { name: 'Sign Out' }).click()
        await expectToast(page, 'Signed out', 'You have been successfully signed out.')
        // Nothing is to be gone on with: this was the user's own choice.
        await expect(page).toHaveURL('/auth')
        await test.step('a toast of success is accessible', () =>
          scan(page.getByRole('alert').filter({ hasText: 'Signed out' })))
      })
      await fill(page, { Email: second.email, Password: second.password })
      await submit(page, 'Sign In')
      await expect(page).toHaveURL('/app/dashboard')
      await expect(sidebar(page).getByText(second.email)).toBeVisible()
      await expect(page.getByText(first.email)).toHaveCount(0)
    })
  })
})

test.describe('Light, dark and system theme', () => {
  const ground = { light: 'rgb(250, 250, 251)', dark: 'rgb(15, 16, 20)' }

  test('chosen in the account menu, kept over reload, without a flash', async ({ page, enter }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await enter()
    const html = page.locator('html')
    const attribute = 'data-mantine-color-scheme'
    const choose = (name: string) => page.getByRole('menuitemradio', { name }).click()
    async function expectScheme(scheme: 'light' | 'dark'): Promise<void> {
      await expect(html).toHaveAttribute(attribute, scheme)
      await expect(page.locator('body')).toHaveCSS('background-color', ground[scheme])
    }
    // Without its scripts the page shows what is painted before the app comes.
    const withoutScripts = () =>
      page.route('**/assets/*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      )
    await expectScheme('light')
    await account(page).click()
    await choose('Dark')
    await expectScheme('dark')
    // Parts that are still on their way would come empty.
    await settled(page)

    await withoutScripts()
    await page.reload()
    await expectScheme('dark')
    await page.unroute('**/assets/*.js')
    await page.reload()
    await expect(heading(page, 'Welcome back')).toBeVisible()

    await account(page).click()
    await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
    await choose('Light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectScheme('light')
    // The menu stays, to look at another.
    await choose('System')
    await expectScheme('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expectScheme('light')
    await settled(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await withoutScripts()
    await page.reload()
    await expectScheme('dark')
  })
})

test.describe('without a connection', () => {
  test.use({
    expectedErrors: [/Failed to load resource|dynamically imported module|Unable to preload/],
  })

  test('a screen whose code is not there yet says so, the rest stands, and Try again brings it', {
    tag: '@long',
  }, async ({ page, context, enter }) => {
    await emptyCache(page)
    await enter()
    await settled(page)
    await context.setOffline(true)
    await sidebar(page).getByRole('link', { name: 'Reports' }).click()
    await expect(page.getByText('This screen could not be loaded')).toBeVisible()
    const failed = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await failed
    await expect(sidebar(page).getByRole('link', { name: 'Deals' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(heading(page, 'Reports')).toBeVisible()
  })
})

test.describe('a new deployment while the app is open', () => {
  test.use({ expectedErrors: [/Failed to load resource|dynamically imported module/] })

  /** Takes a part of the app off the server, as a deployment does with old names, until a reload. */
  async function remove(page: Page, part: string): Promise<void> {
    const url = `**/assets/${part}-*.js`
    await page.route(url, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    page.on('request', async (request) => {
      if (request.isNavigationRequest()) await page.unroute(url)
    })
  }

  test('does not break navigation: the app reloads at the wanted address', async ({
    page,
    step,
    signUp,
  }) => {
    const { email, password } = await signUp()
    await page.goto('/app/reports?q=ada')
    await fill(page, { Email: email, Password: password })
    await remove(page, 'reports-page')
    await submit(page, 'Sign In')
    await expect(heading(page, 'Reports')).toBeVisible()
    await expect(page).toHaveURL('/app/reports?q=ada')
    await step('nor the way out: the sign-in page comes', async () => {
      await settled(page)
      // A second reload so soon after the first would be taken for a part that is gone for good.
      await page.evaluate(() => sessionStorage.removeItem('solo-reloaded-at'))
      await remove(page, 'auth-page')
      await topBar(page).getByRole('button', { name: 'Sign Out' }).click()
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
    })
  })

  test('that lacks a part for good says so instead of looping, leaves the shell standing and offers to reload', {
    tag: '@long',
  }, async ({ page, signUp, signIn }) => {
    await signIn(await signUp())
    let opened = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) opened += 1
    })
    await page.route('**/assets/reports-page-*.js', (route) =>
      route.fulfill({ status: 404, body: 'Not found' }),
    )
    await page.goto('/app/reports')
    const message = page.getByText('This screen stopped working')
    await expect(message).toBeVisible()
    await expect(page).toHaveTitle('This screen stopped working · Solo CRM')
    // By the user, and once more in the hope of a new version.
    expect(opened).toBe(2)
    await sidebar(page).getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByText('Manage your profile, data and account')).toBeVisible()
    await expect(message).toHaveCount(0)
    await sidebar(page).getByRole('link', { name: 'Reports' }).click()
    await expect(message).toBeVisible()
    await page.unroute('**/assets/reports-page-*.js')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await expect(heading(page, 'Reports')).toBeVisible()
  })
})

test.describe('what a page loads', () => {
  const built = () => readdirSync(join(clientFolder, 'assets'))
  const parts = ['account-menu', 'sidebar-drawer', 'confirm-dialog']

  test('nothing jumps while a screen loads', { tag: ['@long', '@phone-long'] }, async ({
    page,
    signUp,
    signIn,
  }) => {
    const user = await signUp()
    const { error } = await user.client.rpc('load_sample_data', { time_zone: 'UTC' })
    expect(error).toBeNull()
    await signIn(user)
    await page.addInitScript(() => {
      const shifts: string[] = []
      Object.assign(window, { shifts })
      const nameOf = (node: Node | null) =>
        node instanceof Element ? node.outerHTML.slice(0, 200) : (node?.textContent ?? 'gone')
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as unknown as {
            value: number
            sources: { node: Node | null }[]
          }
          shifts.push(`${value.toFixed(4)}: ${sources.map(({ node }) => nameOf(node)).join(' | ')}`)
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const moved: Record<string, string[]> = {}
    const paths = screens.map((name) => name.toLowerCase())
    const records: string[] = []
    for (const table of ['contacts', 'companies', 'deals'] as const) {
      const { data } = await user.client.from(table).select('id').order('created_at').limit(1)
      records.push(`${table}/${data?.[0]?.id}`)
    }
    for (const path of [...paths, 'deals?view=board', ...records]) {
      await page.goto(`/app/${path}`)
      await settled(page)
      const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
      // To four digits: a figure that is redrawn where it stands counts for a hundred-thousandth.
      if (shifts.some((shift) => Number.parseFloat(shift) > 0)) moved[path] = shifts
    }
    expect(moved).toEqual({})
  })

  test('a cold, signed-in /app/dashboard', async ({ page, enter, isMobile }) => {
    const partsLoaded = loadedParts(page)
    // The page itself notes what has come when the first figure stands in its card.
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        const card = document.querySelector('[role=group][aria-label="Total Contacts"]')
        if (!/\d/.test(card?.textContent ?? '')) return
        observer.disconnect()
        const names = performance.getEntriesByType('resource').map(({ name }) => name)
        sessionStorage.setItem('loaded', JSON.stringify(names))
      }).observe(document, { childList: true, subtree: true, characterData: true })
      // What has come when the screen's own code has run; parts that it loads itself come later.
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector('main h1')) return
        observer.disconnect()
        const names = performance.getEntriesByType('resource').map(({ name }) => name)
        sessionStorage.setItem('loaded for heading', JSON.stringify(names))
      }).observe(document, { childList: true, subtree: true })
    })
    const user = await enter()
    await test.step('JavaScript that a cold, signed-in /app/dashboard loads until it shows its content: at most 220 kB gzip', async () => {
      const loaded = () => page.evaluate(() => sessionStorage.getItem('loaded'))
      await expect.poll(loaded).not.toBeNull()
      const names: string[] = JSON.parse((await loaded()) ?? '[]')
      const scripts = names
        .map((name) => new URL(name).pathname)
        .filter((name) => /\.js$/.test(name))
      const sizes = scripts.map((path) => statSync(join(clientFolder, `${path}.gz`)).size)
      const total = sizes.reduce((sum, size) => sum + size, 0)
      console.log(
        `JavaScript of a cold /app/dashboard: ${total} bytes gzip in ${sizes.length} files`,
      )
      expect(new Set(scripts).size).toBe(scripts.length)
      expect(names.filter((name) => /compan/i.test(name))).toEqual([])
      // Nothing is awaited that the screen does not show.
      expect(names.filter((name) => name.includes('/auth/v1/'))).toEqual([])
      expect(total).toBeGreaterThan(50_000)
      expect(total).toBeLessThanOrEqual(220_000)
    })
    await test.step('the server names the scripts of a screen in its page, so that none waits for another', async () => {
      for (const screen of ['Contacts', 'Deals', 'Companies']) {
        await page.goto(`/app/${screen.toLowerCase()}`)
        await expect(heading(page, screen)).toBeVisible()
        const { named, needed } = await page.evaluate(() => {
          const loaded: string[] = JSON.parse(sessionStorage.getItem('loaded for heading') ?? '[]')
          return {
            named: [...document.querySelectorAll('link[rel=modulepreload]')].map((link) =>
              link.getAttribute('href'),
            ),
            needed: loaded
              .map((name) => new URL(name).pathname)
              .filter((name) => /\/(?:screens-\d+|[a-z]+-page)-[^/]+\.js$/.test(name)),
          }
        })
        expect(needed.length).toBeGreaterThan(1)
        expect(needed.filter((name) => !named.includes(name))).toEqual([])
      }
    })
    await test.step('what a screen shows is asked for while the app is being loaded, and not again', async () => {
      const contact = await addRow(user, 'contacts', { first_name: 'Ada' })
      const twice: unknown[] = []
      await page.addInitScript(noteWhoAsks)
      const screens = [
        [`contacts/${contact}?q=ada`, 'contact_record'],
        ['tasks', 'task_page'],
        ['contacts', 'contact_page'],
        ['companies', 'company_page'],
        ['deals', 'deal_page'],
        // What is asked for in the account's time zone waits for the preferences, where the browser remembers none.
        ['dashboard', 'dashboard', 'the app'],
        ['reports', 'report', 'the app'],
      ] as const
      // A record and a list here, each screen in the long run.
      for (const [screen, reads, by = 'first-data.js'] of isLong ? screens : screens.slice(0, 2)) {
        const needed = [`/rest/v1/rpc/${reads}`, '/rest/v1/preferences']
        // On a busy machine the script that asks ahead may come later than the app, and leaves the asking to it.
        await expect(async () => {
          await page.goto(`/app/${screen}`)
          await settled(page)
          const asked = await page.evaluate(() => window.asked)
          const ofScreen = needed.map((path) => asked.filter((each) => each.path === path))
          twice.push(...ofScreen.filter(({ length }) => length > 1))
          expect(ofScreen.flat().map((each) => each.by)).toEqual([by, 'first-data.js'])
        }).toPass()
      }
      expect(twice).toEqual([])
      await page.goto('/app/dashboard')
    })
    await test.step('menus and dialogs load when first used, and are fetched ahead when pointed at, where data is to be saved', async () => {
      await settled(page)
      for (const part of parts) {
        expect(
          built().some((name) => name.startsWith(`${part}-`)),
          `${part} is a part`,
        ).toBe(true)
        expect(partsLoaded(part), part).toBe(0)
      }
      await account(page).dispatchEvent('pointerover')
      await expect.poll(() => partsLoaded('account-menu')).toBe(1)
      await expect(page.getByRole('menu')).toHaveCount(0)
      if (!isMobile) return
      await page.getByRole('button', { name: 'Open menu' }).dispatchEvent('pointerover')
      await expect.poll(() => partsLoaded('sidebar-drawer')).toBe(1)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
  })

  test.describe('ahead', () => {
    test.use({ fetchesAhead: true })

    test('what is opened often comes once the first screen has read what it shows', {
      tag: '@long',
    }, async ({ page, enter }) => {
      const loaded = loadedParts(page)
      const release = await hold(page, '**/rest/v1/rpc/dashboard')
      await enter()
      await expect(heading(page, 'Welcome back')).toBeVisible()
      // Long enough for what waits for the page to be idle.
      await page.evaluate(
        () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })),
      )
      const often = [
        'quick-actions-drawer',
        'sidebar-drawer',
        'contact-dialog',
        'confirm-dialog',
        'contact-page',
        'deal-columns',
      ]
      expect(often.map(loaded)).toEqual([0, 0, 0, 0, 0, 0])
      release()
      await expect.poll(() => often.map(loaded)).toEqual([1, 1, 1, 1, 1, 1])
      expect(loaded('auth-page')).toBe(0)
    })
  })
})
