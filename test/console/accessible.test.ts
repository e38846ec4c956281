// @module-tag slow
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { settled } from './pictures.ts'
import { openStocked, THEN, views, type StockedConsole } from './views.ts'

const widths = [390, 1280]

let open: StockedConsole
/** A page of each width; every test goes to its view there. */
let pages: readonly Page[]
beforeAll(async () => {
  open = await openStocked()
  const opened = await Promise.all(widths.map((width) => open.open({ now: THEN, width })))
  pages = opened.map(({ page }) => page)
})
afterAll(async () => open.close())

test.each(views)('$name can be used by everybody, in both themes and at both widths', async (view) => {
  for (const [i, page] of pages.entries()) {
    await open.visit(page, view)
    await settled(page)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await violations(page), `light, ${widths[i]} px`).toEqual([])
    // A theme only changes colours.
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'color-contrast'), `dark, ${widths[i]} px`).toEqual([])
  }
})
