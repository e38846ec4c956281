// @module-tag slow
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Opened } from './browser.ts'
import { settled } from './pictures.ts'
import { openStocked, THEN, views, type StockedConsole } from './views.ts'

let open: StockedConsole
beforeAll(async () => {
  open = await openStocked()
})
afterAll(async () => open.close())

/**
 * Returns the unusable elements of a page: parts wider than the window, and controls whose centre is outside the window
 * or covered even after scrolling into view. A panel over the page hides the elements below it intentionally, so those
 * are skipped.
 */
const unusable = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const found = []
    for (const part of [document.scrollingElement, document.querySelector('#content')])
      if (part.scrollWidth > part.clientWidth) found.push('wider than the window: ' + (part.id || part.tagName))
    const menu = document.querySelector('dialog[open], :popover-open')
    const isPanel = (each) => each.checkVisibility() && getComputedStyle(each).position === 'fixed'
    const panel = [...document.querySelectorAll('.detail')].find(isPanel)
    const controls = 'button, a[href], input, select, textarea, summary, [tabindex="0"]'
    for (const control of document.querySelectorAll(controls)) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.matches('.skip')) continue
      if (menu !== null && !menu.contains(control)) continue
      if (panel !== undefined && !panel.contains(control) && !control.closest('header.top')) continue
      control.scrollIntoView({ block: 'center', inline: 'center' })
      // A wrapped link has one rectangle per line; the first one is tested.
      const { left, top, width, height } = control.getClientRects()[0]
      const [x, y] = [left + width / 2, top + height / 2]
      const name = control.tagName + '.' + control.className + ' ' + (control.getAttribute('aria-label') ?? control.textContent).slice(0, 40)
      if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) found.push('outside: ' + name)
      else {
        const hit = document.elementFromPoint(x, y)
        const isSeen = control.contains(hit) || hit?.closest('label')?.contains(control)
        if (!isSeen) found.push('behind ' + hit?.tagName + '.' + hit?.className + ': ' + name)
      }
    }
    return found
  })()`)

describe.each([
  ['200 % of 1280 x 800', { width: 640, height: 400, scale: 2 }],
  ['390 pixels', { width: 390, height: 800 }],
])('at %s', (_, size) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open.open({ now: THEN, ...size })
  })
  afterAll(async () => opened.close())

  test.each(views)('all controls of $name are reachable', async (view) => {
    await open.visit(opened.page, view)
    await settled(opened.page)
    expect(await unusable(opened.page)).toEqual([])
  })

  test.each(['.time-picker > .button', '.history-button', '.facets-button', '[aria-label=Keys]'])(
    'all controls of the menu of %s are reachable',
    async (button) => {
      const { page, close } = await open.open({ view: '#/logs?q=level:error', ...size })
      await settled(page)
      await page.locator(button).click()
      await page.locator('dialog[open] button, :popover-open :is(button, input)').first().waitFor()
      expect(await unusable(page)).toEqual([])
      await close()
    },
  )

  test.each(['#/logs', '#/traces', '#/events'])('the rows of %s have some lines', async (link) => {
    const { page, close } = await open.open({ view: link, ...size })
    const rows = page.locator(':is(.list, .table-scroll)').first()
    await rows.waitFor()
    await rows.scrollIntoViewIfNeeded()
    const box = await rows.boundingBox()
    expect(box?.height).toBeGreaterThan(150)
    await close()
  })

  test('the fields are behind a button, and narrow the query', async () => {
    const { page, close } = await open.open({ view: '#/logs', ...size })
    await settled(page)
    await page.getByRole('button', { name: 'Fields' }).click()
    await page.locator('.facets').getByTitle('Only rows with this level').first().click()
    await expect.poll(() => page.url()).toContain('level')
    await close()
  })
})
