import type { Locator, Page } from '@playwright/test'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { addDeals, button, type NewDeal, stagesOf, storedDeals } from './deal-list.ts'
import { expectDraggable } from './draggable.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test as base, visit } from './journey.ts'
import { brokenAnswer, fail, hold, settled } from './requests.ts'
import { inOrder } from './rows.ts'

const path = '/app/deals?view=board'
const reads = '**/rest/v1/rpc/deal_board'
const moves = '**/rest/v1/rpc/write_once'

type Stages = Record<string, string>
type Deals = (stages: Stages, user: User) => NewDeal[] | Promise<NewDeal[]>

/** Opens the board as a new account with deals there already. */
const test = base.extend<{ open: (deals?: Deals, query?: string) => Promise<User> }>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (deals = () => [], query = '') => {
      const user = await signUp()
      await addDeals(user, ...(await deals(await stagesOf(user), user)))
      await begin(user, path + query)
      await expect(column(page, 'Lead')).toBeVisible()
      return user
    })
  },
})

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const cards = (page: Page, stage: string) => column(page, stage).getByRole('article')
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const handle = (page: Page, name: string) => button(page, `Move ${name}`)
const spoken = (page: Page) => page.locator('[aria-live=assertive]')

/** Columns by their cards, as they stand. */
async function expectCards(page: Page, expected: Record<string, string[]>): Promise<void> {
  for (const [stage, names] of Object.entries(expected)) {
    await expect(cards(page, stage).getByRole('link')).toHaveText(names)
  }
}

/** `One`, `Two`, `Three` from the top of Lead, `Other` in Qualified. */
const few: Deals = ({ Lead, Qualified }) => [
  { name: 'Three', value: 300, stage_id: Lead },
  { name: 'Two', value: 200, stage_id: Lead },
  { name: 'One', value: 100, stage_id: Lead },
  { name: 'Other', value: 1000, stage_id: Qualified },
]

async function middle(place: Locator, down = 0.5): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not on the screen.')
  return { x: box.x + box.width / 2, y: box.y + box.height * down }
}

/** Takes a card and holds it over a point of another element; `down` is how far down in it. */
async function carry(page: Page, name: string, to: Locator, down: number): Promise<void> {
  await expectDraggable(page)
  const from = await middle(card(page, name))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + 10, { steps: 4 })
  const { x, y } = await middle(to, down)
  await page.mouse.move(x, y, { steps: 6 })
  await expect(card(page, name)).toHaveAttribute('data-lifted', 'true')
  // What lies under it is looked for once a frame: let go earlier, it falls where it was before.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

async function drag(page: Page, name: string, to: Locator, down: number): Promise<void> {
  await carry(page, name, to, down)
  await page.mouse.up()
  await expect(page.locator('[data-lifted]')).toHaveCount(0)
}

async function expectMoved(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('alert').getByText(words, { exact: true })).toBeVisible()
}

test.use({ expectedErrors: failedRequests })

test('columns and cards, loading, failed, searched, and what is made and closed there', async ({
  page,
  open,
  step,
  longStep,
  signUp,
  begin,
}) => {
  let user = await open(async (stages, owner) => {
    // Of one moment, so that the lowest id is at the top.
    const many = inOrder([
      ...Array.from({ length: 35 }, (_, index) => ({
        name: `Deal ${34 - index}`,
        value: 1000.1,
        stage_id: stages.Lead,
      })),
      { name: 'Cents', value: 0.1, stage_id: stages.Qualified },
      { name: 'More cents', value: 1.4, stage_id: stages.Qualified },
    ])
    expect((await owner.client.from('deals').insert(many)).error).toBeNull()
    const company = await owner.client
      .from('companies')
      .insert({ name: 'Acme' })
      .select('id')
      .single()
    const contact = await owner.client
      .from('contacts')
      .insert({ first_name: 'Ada', last_name: 'Byron' })
      .select('id')
      .single()
    const [id] = await addDeals(owner, {
      name: 'Renewal',
      value: 1234.5,
      stage_id: stages.Negotiation,
      company_id: company.data?.id ?? null,
      contact_id: contact.data?.id ?? null,
      expected_close_date: '2020-01-31',
    })
    await owner.client.from('tasks').insert([
      { title: 'Send offer', deal_id: id ?? null, due_date: '2030-05-01T12:00:00Z' },
      { title: 'Later', deal_id: id ?? null, due_date: '2030-06-01T12:00:00Z' },
    ])
    return [
      { name: 'Soon', stage_id: stages.Negotiation, expected_close_date: '2030-01-31' },
      { name: 'Done', stage_id: stages['Closed Won'], expected_close_date: '2020-01-31' },
    ]
  })

  await step(
    "a column per stage, each with count, sum and sum weighted by the stage's win probability, over everything",
    async () => {
      const names = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won']
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(names)
      const lead = column(page, 'Lead')
      await expect(lead.getByText('35', { exact: true })).toBeVisible()
      await expect(lead.getByText('$35,004', { exact: true })).toBeVisible()
      const { data } = await user.client
        .from('pipeline_stages')
        .select('win_probability')
        .eq('name', 'Lead')
      const weighted = Math.round((35_003.5 * (data?.[0]?.win_probability ?? 0)) / 100)
      await expect(lead.getByText(`$${weighted.toLocaleString('en-US')} weighted`)).toBeVisible()
      // Not the sum of what was rounded.
      await expect(column(page, 'Qualified').getByText('$2', { exact: true })).toBeVisible()
      await expect(column(page, 'Proposal').getByText('No deals', { exact: true })).toBeVisible()
      await expect(column(page, 'Proposal').getByText('$0', { exact: true })).toBeVisible()
      // What is further down comes as one scrolls.
      await cards(page, 'Lead').first().hover()
      await page.mouse.wheel(0, 10_000)
      await expect(card(page, 'Deal 0')).toBeVisible()
    },
  )

  await step(
    'cards with name, value, company, contact, expected close (red when past) and next task',
    async () => {
      const shown = card(page, 'Renewal')
      await expect(shown.getByRole('link', { name: 'Renewal' })).toHaveAttribute(
        'href',
        /^\/app\/deals\/[0-9a-f-]{36}/,
      )
      for (const text of ['$1,235', 'Acme · Ada Byron', 'Send offer', 'May 1, 2030']) {
        await expect(shown.getByText(text, { exact: true })).toBeVisible()
      }
      const color = (name: string, day: string) =>
        card(page, name)
          .getByText(day, { exact: true })
          .evaluate((element) => getComputedStyle(element).color)
      const [past, ahead, closed] = [
        await color('Renewal', 'Jan 31, 2020'),
        await color('Soon', 'Jan 31, 2030'),
        await color('Done', 'Jan 31, 2020'),
      ]
      expect(past).toBe('rgb(198, 42, 47)')
      expect(ahead).not.toBe(past)
      expect(closed).toBe(ahead)
    },
  )

  const owner = await signUp()
  await addDeals(owner, ...(await few(await stagesOf(owner), owner)))

  await step("Loading text: 'Loading deals...'", async () => {
    const release = await hold(page, reads)
    await begin(owner, path)
    await expect(page.getByText('Loading deals...', { exact: true })).toBeVisible()
    release()
    await expect(column(page, 'Lead')).toBeVisible()
    await expect(page.getByText('Loading deals...', { exact: true })).toBeHidden()
  })

  const { how, answer, message } = brokenAnswer

  await step(
    `'Failed to fetch deals: {message}' when the request ${how}, and Try again helps`,
    async () => {
      await fail(page, reads, 'POST', answer)
      await visit(page, `${path}&q=t`)
      await expectToast(page, 'Error', `Failed to fetch deals: ${message}`)
      await page.unroute(reads)
      await button(page, 'Try again').click()
      await expect(column(page, 'Lead')).toBeVisible()
    },
  )

  await step('the search finds on the board too, and the figures follow', async () => {
    await expectCards(page, { Lead: ['Two', 'Three'], Qualified: ['Other'] })
    await expect(column(page, 'Lead').getByText('$500', { exact: true })).toBeVisible()
    await page.getByPlaceholder('Search deals...', { exact: true }).fill('nothing-like-it')
    await expect(page.getByRole('heading', { name: 'No deals found' })).toBeVisible()
    await button(page, 'Clear search and filters').click()
    await expectCards(page, { Lead: ['One', 'Two', 'Three'] })
  })

  await expect(column(page, 'No Stage')).toBeHidden()
  user = await open(async (stages, account) => {
    const { data } = await account.client.from('pipelines').select('id').single()
    return [
      ...(await few(stages, account)),
      { name: 'Lost soul', value: 70, pipeline_id: data?.id ?? null },
    ]
  })

  await step("'No Stage' when such deals exist, and only then", async () => {
    await expectCards(page, { 'No Stage': ['Lost soul'] })
    await expect(column(page, 'No Stage').getByText('$0 weighted', { exact: true })).toBeVisible()
  })

  await longStep('a deal without a stage is dragged to one, and back by Undo', async () => {
    await drag(page, 'Lost soul', cards(page, 'Qualified').first(), 0.9)
    await expectMoved(page, 'Moved to Qualified')
    // Its place stays, so that the other columns do not move.
    await expectCards(page, { 'No Stage': [], Qualified: ['Other', 'Lost soul'] })
    await expect(column(page, 'No Stage')).toBeVisible()
    await button(page, 'Undo').click()
    await expectCards(page, { 'No Stage': ['Lost soul'], Qualified: ['Other'] })
  })

  await longStep(
    "'Create deal in Qualified', 'Mark as won' and 'Mark as lost' from the board",
    async () => {
      await settled(page)
      await button(page, 'Create deal in Qualified').click()
      const form = page.getByRole('dialog', { name: 'Create Deal' })
      await form.getByLabel('Deal Name *', { exact: true }).fill('Brand new')
      await form.getByRole('button', { name: 'Create Deal', exact: true }).click()
      await expectCards(page, { Qualified: ['Brand new', 'Other'] })
      await button(card(page, 'One'), 'More for One').click()
      await page.getByRole('menuitem', { name: 'Mark as won' }).click()
      await expectCards(page, { Lead: ['Two', 'Three'], 'Closed Won': ['One'] })
      await button(card(page, 'Two'), 'More for Two').click()
      await page.getByRole('menuitem', { name: 'Mark as lost' }).click()
      await page.getByLabel('Reason').fill('Too dear')
      await button(page.getByRole('dialog'), 'Mark as lost').click()
      // The pipeline had no such stage. Seven columns fit because those of closed deals fold.
      await button(page, 'Unfold Closed Lost').click()
      await expectCards(page, { Lead: ['Three'], 'Closed Lost': ['Two'] })
      await expect
        .poll(() => storedDeals(user))
        .toMatchObject([
          { name: 'Brand new', stage: 'Qualified' },
          { name: 'Lost soul', stage: null },
          { name: 'One', stage: 'Closed Won' },
          { name: 'Other' },
          { name: 'Three' },
          { name: 'Two', stage: 'Closed Lost', lost_reason: 'Too dear' },
        ])
    },
  )
})

test('moving by mouse, and a move that fails', async ({ page, open, step, longStep }) => {
  let user = await open(few)
  // At 1440 px all stages of a usual pipeline fit.
  const board = page.getByRole('region', { name: /^Board of/ })
  expect(await board.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)

  await longStep('what is let go outside or taken back by Escape stays where it was', async () => {
    let sent = 0
    await page.route(moves, (route) => {
      sent += 1
      return route.fallback()
    })
    await carry(page, 'One', card(page, 'Other'), 0.9)
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-drop-line]')).toHaveCount(0)
    await page.mouse.up()
    await drag(page, 'Two', page.getByRole('heading', { name: 'Deals', level: 1 }), 0.5)
    // Where it is already, there is nothing to write either.
    await drag(page, 'Two', card(page, 'Two'), 0.9)
    await expectCards(page, { Lead: ['One', 'Two', 'Three'], Qualified: ['Other'] })
    await settled(page)
    expect(sent).toBe(0)
    await expect(page).toHaveURL(/view=board/)
  })

  await longStep('Undo in the toast puts the card back, within and between columns', async () => {
    await drag(page, 'One', card(page, 'Three'), 0.9)
    await expectMoved(page, 'Moved within Lead')
    await button(page, 'Undo').click()
    await expectCards(page, { Lead: ['One', 'Two', 'Three'] })
    await drag(page, 'Two', card(page, 'Other'), 0.1)
    const toast = page.getByRole('alert').filter({ hasText: 'Moved to Qualified' })
    await expect(toast).toBeVisible()
    await button(toast, 'Undo').click()
    await expectCards(page, { Lead: ['One', 'Two', 'Three'], Qualified: ['Other'] })
    const inLead = async () => (await storedDeals(user)).filter(({ stage }) => stage === 'Lead')
    await expect.poll(inLead).toHaveLength(3)
    await settled(page)
  })

  await step('drag by mouse within and between columns; the order is stored', async () => {
    await expectCards(page, { Lead: ['One', 'Two', 'Three'], Qualified: ['Other'] })
    await carry(page, 'One', card(page, 'Three'), 0.9)
    await expect(page.locator('[data-drop-line]')).toHaveCount(1)
    await page.mouse.up()
    await expectCards(page, { Lead: ['Two', 'Three', 'One'] })
    await expectMoved(page, 'Moved within Lead')
    await drag(page, 'Three', card(page, 'Other'), 0.1)
    await expectCards(page, { Lead: ['Two', 'One'], Qualified: ['Three', 'Other'] })
    await expectMoved(page, 'Moved to Qualified')
    await expect(column(page, 'Qualified').getByText('$1,300', { exact: true })).toBeVisible()
    await drag(page, 'Two', column(page, 'Proposal'), 0.6)
    await expectCards(page, { Lead: ['One'], Proposal: ['Two'] })
    await expectMoved(page, 'Moved to Proposal')
    await page.reload()
    await expectCards(page, { Lead: ['One'], Qualified: ['Three', 'Other'], Proposal: ['Two'] })
  })

  const { how, answer, message } = brokenAnswer

  await step(
    `a failed write puts the card back and says why, when the request ${how}`,
    async () => {
      user = await open(few)
      await fail(page, moves, 'POST', answer)
      // The later route is asked first.
      const release = await hold(page, moves)
      await drag(page, 'One', card(page, 'Other'), 0.1)
      await expectCards(page, { Lead: ['Two', 'Three'], Qualified: ['One', 'Other'] })
      release()
      await expectToast(page, 'Error', `Failed to update deal: ${message}`)
      await expectCards(page, { Lead: ['One', 'Two', 'Three'], Qualified: ['Other'] })
      expect((await storedDeals(user)).filter(({ stage }) => stage === 'Lead')).toHaveLength(3)
    },
  )
})

test('drag by touch, after a finger has rested on the card; one that moves at once scrolls', {
  tag: '@phone',
}, async ({ page, open, step, scan }) => {
  await open(few)
  await scan()
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] })
  const from = await middle(card(page, 'One'))
  const to = await middle(card(page, 'Three'), 0.9)
  await expectDraggable(page)
  await touch('touchStart', from)
  await expect(card(page, 'One')).toHaveAttribute('data-lifted', 'true')
  for (const part of [0.3, 0.6, 1]) {
    await touch('touchMove', { x: from.x, y: from.y + (to.y - from.y) * part })
  }
  await expect(page.locator('[data-drop-line]')).toHaveCount(1)
  await touch('touchEnd')
  await expectCards(page, { Lead: ['Two', 'Three', 'One'] })
  await expectMoved(page, 'Moved within Lead')
  await settled(page)

  const board = page.getByRole('region', { name: /^Board of/ })
  const start = await middle(card(page, 'Two'))
  // Not one after the other's answer: a finger that rests lifts the card.
  await Promise.all([
    touch('touchStart', start),
    ...[40, 90, 140, 190].map((step) => touch('touchMove', { x: start.x - step, y: start.y })),
  ])
  await touch('touchEnd')
  await expect.poll(() => board.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100)
  await expect(page.locator('[data-lifted]')).toHaveCount(0)

  await step(
    'nothing sticks out on the narrowest phone, and columns come in from the side',
    async () => {
      await page.setViewportSize({ width: 360, height: 640 })
      await open(({ Lead }) => [
        { name: 'x'.repeat(200), value: 999_999_999_999.99, stage_id: Lead },
      ])
      await expectNoSidewaysScroll(page)
      const box = await column(page, 'Lead').boundingBox()
      expect(box?.width).toBeGreaterThan(280)
      await column(page, 'Closed Won').scrollIntoViewIfNeeded()
      await expect(column(page, 'Closed Won').getByText('No deals')).toBeInViewport()
    },
  )
})

test('moving by keyboard, by menu, in a hurry and among 300 cards', { tag: '@long' }, async ({
  page,
  open,
  step,
  longStep,
  signUp,
  begin,
}) => {
  const user = await open(few)

  await step('drag by keyboard, read out at every step', async () => {
    await handle(page, 'One').focus()
    await page.keyboard.press('Space')
    await expect(spoken(page)).toHaveText('Lifted One. Lead, 1 of 3.')
    // The keys of the stages.
    await expect(column(page, 'Lead').locator('kbd')).toHaveText('1')
    await expect(column(page, 'Closed Won').locator('kbd')).toHaveText('5')
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText('Lead, 2 of 3.')
    await page.keyboard.press('Space')
    await expect(spoken(page)).toHaveText('Dropped One. Lead, 2 of 3.')
    await expectCards(page, { Lead: ['Two', 'One', 'Three'] })
    await expect(handle(page, 'One')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(spoken(page)).toHaveText('Lifted One. Lead, 2 of 3.')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Qualified, 2 of 2.')
    await page.keyboard.press('ArrowUp')
    await expect(spoken(page)).toHaveText('Qualified, 1 of 2.')
    await page.keyboard.press('Enter')
    await expectCards(page, { Lead: ['Two', 'Three'], Qualified: ['One', 'Other'] })
    await expect(handle(page, 'One')).toBeFocused()
    await expectMoved(page, 'Moved to Qualified')
    await page.keyboard.press('Space')
    await expect(spoken(page)).toHaveText('Lifted One. Qualified, 1 of 2.')
    await page.keyboard.press('ArrowLeft')
    await expect(spoken(page)).toHaveText(/^Lead, /)
    await page.keyboard.press('Escape')
    await expect(spoken(page)).toHaveText('One is back where it was.')
    await expect(page.locator('[data-lifted]')).toHaveCount(0)
    await expectCards(page, { Lead: ['Two', 'Three'], Qualified: ['One', 'Other'] })
    // The name is a link as everywhere.
    await page.getByRole('link', { name: 'Two', exact: true }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Two', level: 1 })).toBeVisible()
    await page.goBack()
    await expectCards(page, { Lead: ['Two', 'Three'], Qualified: ['One', 'Other'] })
  })

  await step(
    'arrows go from card to card, and four keys move the first one to any stage',
    async () => {
      await page.getByRole('main').focus()
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('link', { name: 'Two', exact: true })).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('link', { name: 'Three', exact: true })).toBeFocused()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('link', { name: 'Other', exact: true })).toBeFocused()
      await page.getByRole('main').focus()
      for (const key of ['ArrowDown', 'Space', '4', 'Space']) await page.keyboard.press(key)
      await expectCards(page, { Lead: ['Three'], Negotiation: ['Two'] })
      await expectMoved(page, 'Moved to Negotiation')
      await settled(page)
      await button(page, 'Undo').last().click()
      await expectCards(page, { Lead: ['Two', 'Three'], Negotiation: [] })
    },
  )

  await longStep('a folded column takes drops, and is folded after a reload', async () => {
    await button(page, 'Fold Proposal').focus()
    await page.keyboard.press('Enter')
    await expect(button(page, 'Unfold Proposal')).toBeVisible()
    await drag(page, 'Two', column(page, 'Proposal'), 0.5)
    await expectMoved(page, 'Moved to Proposal')
    await expect(column(page, 'Proposal').getByText('$200', { exact: true })).toBeVisible()
    await page.reload()
    await button(page, 'Unfold Proposal').click()
    await expectCards(page, { Proposal: ['Two'] })
    await drag(page, 'Two', card(page, 'Three'), 0.1)
    await expectCards(page, { Lead: ['Two', 'Three'], Proposal: [] })
    await settled(page)
  })

  await step('during a drag, a foot zone marks as lost where no column does', async () => {
    await carry(page, 'Two', column(page, 'Lead'), 0.5)
    await expect(page.locator('[data-zone]')).toHaveText(['Mark as lost'])
    const { x, y } = await middle(page.locator('[data-zone=lost]'))
    await page.mouse.move(x, y, { steps: 6 })
    await expect(page.locator('[data-zone=lost]')).toHaveAttribute('data-target', 'true')
    await page.mouse.up()
    await expect(page.getByRole('dialog', { name: 'Mark as lost' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expectCards(page, { Lead: ['Two', 'Three'] })
  })

  await step('who cannot drag chooses the place from a menu', async () => {
    await handle(page, 'Two').click()
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await expectCards(page, { Lead: ['Three', 'Two'] })
    await expect(handle(page, 'Two')).toBeFocused()
    await handle(page, 'Two').click()
    await page.getByRole('menuitem', { name: 'Qualified' }).click()
    await expectCards(page, { Lead: ['Three'], Qualified: ['Two', 'One', 'Other'] })
    await settled(page)
  })

  await longStep('two moves of one card at once: the later one counts', async () => {
    const release = await hold(page, moves)
    await drag(page, 'Three', column(page, 'Proposal'), 0.6)
    await expectCards(page, { Proposal: ['Three'] })
    await drag(page, 'Three', column(page, 'Negotiation'), 0.6)
    await expectCards(page, { Proposal: [], Negotiation: ['Three'] })
    release()
    await expectMoved(page, 'Moved to Negotiation')
    await expectCards(page, { Proposal: [], Negotiation: ['Three'] })
    await expect
      .poll(() => storedDeals(user))
      .toContainEqual(expect.objectContaining({ name: 'Three', stage: 'Negotiation' }))
  })

  await longStep(
    'a column of 300 cards: at most 60 in the document in a scripted scroll and drag',
    async () => {
      const seller = await signUp()
      const { Lead = '', Qualified = '' } = await stagesOf(seller)
      const rows = Array.from({ length: 300 }, (_, index) => ({
        name: `Deal ${index}`,
        value: 1,
        stage_id: Lead,
      }))
      expect((await seller.client.from('deals').insert(rows)).error).toBeNull()
      await addDeals(seller, { name: 'Other', stage_id: Qualified })
      await begin(seller, path)
      await expect(column(page, 'Lead').getByText('300', { exact: true })).toBeVisible()
      await settled(page)

      expect(await scrollFar(page)).toBeLessThanOrEqual(60)
      const left = await dragFar(page)

      // What was read again after the write must not move what is looked at.
      await expectMoved(page, 'Moved to Qualified')
      await settled(page)
      expect(left).toBeGreaterThan(10_000)
      // By no more than the card that went.
      expect(Math.abs((await scrolled(page)) - left)).toBeLessThan(100)
      await expect.poll(() => cards(page, 'Lead').count()).toBeGreaterThan(5)
    },
  )
})

const list = (page: Page) => page.getByRole('list', { name: 'Deals in Lead' }).locator('..')
const scrolled = (page: Page) => list(page).evaluate((element) => element.scrollTop)

/** Several cards a frame; answers with the most that were in the document. */
function scrollFar(page: Page): Promise<number> {
  return list(page).evaluate(async (element) => {
    element.scrollTop = 0
    let most = 0
    // As far as it must go, and for as long as more is on its way.
    while (element.scrollTop < 20_000) {
      element.scrollTop += 300
      await new Promise(requestAnimationFrame)
      most = Math.max(most, document.querySelectorAll('article').length)
    }
    return most
  })
}

/** Down to the edge, where the column scrolls by itself, and over to the next one; answers with how far. */
async function dragFar(page: Page): Promise<number> {
  const frame = await list(page).boundingBox()
  if (!frame) throw new Error('The list is not on the screen.')
  const grip = await list(page).evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    const boxes = [...element.querySelectorAll('article')].map((each) =>
      each.getBoundingClientRect(),
    )
    const box = boxes.find((each) => each.top > top + 200)
    return { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 20 }
  })
  const start = await scrolled(page)
  await expectDraggable(page)
  await page.mouse.move(grip.x, grip.y)
  await page.mouse.down()
  await page.mouse.move(grip.x + 20, grip.y + 20, { steps: 5 })
  await page.mouse.move(frame.x + 80, frame.y + frame.height - 10, { steps: 20 })
  await expect.poll(() => scrolled(page)).toBeGreaterThan(start + 800)
  const { x, y } = await middle(card(page, 'Other'), 0.9)
  await page.mouse.move(x, y, { steps: 20 })
  // The column scrolls on until the drag has heard that the pointer is elsewhere.
  let left = await scrolled(page)
  await expect(async () => {
    const before = left
    await page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
    })
    left = await scrolled(page)
    expect(left).toBe(before)
  }).toPass()
  await page.mouse.up()
  await expect(page.locator('[data-lifted]')).toHaveCount(0)
  return left
}

test('the board is accessible with a card lifted and the menus open, light and dark', {
  tag: '@long',
}, async ({ page, open, scan }) => {
  await open((stages, user) => [
    ...(few(stages, user) as NewDeal[]),
    { name: 'Past', stage_id: stages.Lead, expected_close_date: '2020-01-31' },
  ])
  await scan()
  await handle(page, 'Two').focus()
  await page.keyboard.press('Space')
  await expect(spoken(page)).toHaveText(/^Lifted Two/)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-drop-line]')).toHaveCount(1)
  await scan(page.getByRole('region', { name: /^Board of/ }))
  await page.keyboard.press('Escape')
  await handle(page, 'Two').click()
  await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeVisible()
  await scan(page.getByRole('menu'))
})

test('every enabled control on the board does something, without a script error', async ({
  page,
  open,
}) => {
  test.slow()
  await open(({ Lead }) => [{ name: 'One', stage_id: Lead }])
  // A column that was folded would hide the card from the next press.
  await page.addInitScript(() => localStorage.removeItem('solo-board-folds'))
  const names = await pressEverything(page, {
    address: path,
    ready: () => expect(card(page, 'One')).toBeVisible(),
  })
  expect(names).toContain('Move One')
})
