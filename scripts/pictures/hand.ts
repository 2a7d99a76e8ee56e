import type { Locator, Page } from '@playwright/test'

/** Draws where the mouse is: a recording shows no pointer by itself. */
export async function showPointer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const pointer = document.createElement('div')
      pointer.setAttribute('popover', 'manual')
      pointer.innerHTML =
        '<svg width="22" height="22" viewBox="0 0 22 22"><path d="M4 2l13 10-6.2.9L8 19z" fill="#17181c" stroke="#fff" stroke-width="1.6"/></svg>'
      pointer.style.cssText =
        'position:fixed;inset:auto;left:640px;top:420px;margin:0;padding:0;border:0;background:none;overflow:visible;pointer-events:none'
      document.documentElement.append(pointer)
      // Above dialogs, too, whichever came last.
      const raise = () => {
        pointer.hidePopover()
        pointer.showPopover()
      }
      pointer.showPopover()
      addEventListener('mousedown', raise, true)
      addEventListener(
        'mousemove',
        ({ clientX, clientY }) => {
          pointer.style.left = `${clientX - 3}px`
          pointer.style.top = `${clientY - 2}px`
        },
        true,
      )
    })
  })
}

/** A mouse that goes as a hand does: slow at both ends. */
export function hand(page: Page) {
  let at = { x: 640, y: 420 }

  async function go(to: { x: number; y: number }, seconds = 0.7): Promise<void> {
    const from = at
    const steps = Math.round(seconds * 40)
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2
      await page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part)
      await page.waitForTimeout(1000 / 40)
    }
    at = to
  }

  async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error(`Nothing to point at: ${target}`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  return {
    pointAt: async (target: Locator) => go(await middleOf(target)),
    async click(target: Locator) {
      await go(await middleOf(target))
      await page.waitForTimeout(150)
      await page.mouse.down()
      await page.mouse.up()
    },
    async drag(target: Locator, onto: Locator) {
      // Both in view before the hand closes: what scrolls under it would be left behind.
      await middleOf(onto)
      await page.waitForTimeout(300)
      await go(await middleOf(target))
      await page.mouse.down()
      await page.waitForTimeout(200)
      await go(await middleOf(onto), 1.2)
      await page.waitForTimeout(250)
      await page.mouse.up()
    },
  }
}
